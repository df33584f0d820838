// Plays the table of internal/cases, which also runs in Chromium, with the script that plays it there: node cases.js table.js script.js
// It prints what came out.

import { readFile } from 'node:fs/promises';
import { runInThisContext } from 'node:vm';
import { agent } from 'webmcp-wasm/testing';

const [table, script] = await Promise.all(process.argv.slice(2).map((path) => readFile(path, 'utf8')));
const a = await agent();
const { error } = console;
console.error = () => {};
runInThisContext(script); // a script of a page, whose names are global
const play = runInThisContext('playScript');
const outcomes = [await play(runInThisContext(table), false), await play(runInThisContext(table), true)];
console.error = error;
await a.close();
console.log(JSON.stringify(outcomes));
