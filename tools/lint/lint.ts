// Formats and lints the project: node tools/lint/lint.ts [--fix] [path or option of biome check...]
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { directions } from './directions.ts';
import { install, run } from './install.ts';
import { overridesText } from './overrides.ts';

const root = join(import.meta.dirname, '../..');
const written = join(import.meta.dirname, 'imports.json');
const fix = process.argv.includes('--fix');
const others = process.argv.slice(2).filter((argument) => argument !== '--fix');

const wanted = overridesText(directions);
if (fix) writeFileSync(written, wanted);
else if (readFileSync(written, 'utf8') !== wanted) {
  process.stderr.write('tools/lint/imports.json is not what directions.ts says: npm run fix\n');
  process.exitCode = 1;
}
install();
const code = run('biome', ['check', '--error-on-warnings', ...(fix ? ['--write'] : []), ...others], root);
if (code !== 0) process.exitCode = code;
