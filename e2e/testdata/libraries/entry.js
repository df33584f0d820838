// The schema libraries as they come from npm, for a page without a bundler.
import * as z from 'zod';
import { z as z3 } from 'zod/v3';
import * as v from 'valibot';
import { type } from 'arktype';

Object.assign(globalThis, { z, z3, v, type });
