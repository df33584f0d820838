import { test } from 'vitest';
import { quiet } from './quiet.js';

quiet(test);
