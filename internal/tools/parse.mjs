// Parses the JavaScript files that are named, and runs none. `node --check` lets
// a module pass whose name does not end in .mjs, whatever is in it.

import { readFileSync } from 'node:fs';
import { Script, SourceTextModule } from 'node:vm';

for (const file of process.argv.slice(2)) {
  const source = readFileSync(file, 'utf8');
  const isModule = file.endsWith('.mjs') || /^(import|export)\b/m.test(source);
  try {
    if (isModule) new SourceTextModule(source, { identifier: file });
    else new Script(source, { filename: file });
  } catch (error) {
    console.error(isModule ? `${file}: ${error.stack}` : error.stack);
    process.exitCode = 1;
  }
}
