// Formats and lints the project: node tools/lint/lint.ts [--fix] [path or option of biome check...]
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { biome } from './biome.ts';
import { directions } from './directions.ts';
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
const args = [biome, 'check', '--error-on-warnings', ...(fix ? ['--write'] : []), ...others];
const { status, error } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
if (error !== undefined) throw error;
if (status !== 0) process.exitCode = status ?? 1;
