import { test } from '@jest/globals';
import { behaviour } from './behaviour.js';

behaviour(test);
