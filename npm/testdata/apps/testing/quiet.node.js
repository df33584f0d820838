import { test } from 'node:test';
import { quiet } from './quiet.js';

quiet(test);
