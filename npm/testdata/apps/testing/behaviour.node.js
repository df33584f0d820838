import { test } from 'node:test';
import { behaviour } from './behaviour.js';

behaviour(test);
