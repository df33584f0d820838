import { copyFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

await build({ entryPoints: ['main.js'], bundle: true, minify: true, format: 'esm', splitting: true, outdir: 'dist' });
await copyFile(fileURLToPath(import.meta.resolve('webmcp-wasm/webmcp.wasm')), 'dist/webmcp.wasm');
