// The schema libraries as they come from npm, for a page without a bundler.
import * as z from 'zod';
import * as v from 'valibot';
import { type } from 'arktype';

Object.assign(globalThis, { z, v, type });
