import { test } from '@jest/globals';
import { quiet } from './quiet.js';

quiet(test);
