import { test } from 'vitest';
import { behaviour } from './behaviour.js';

behaviour(test);
