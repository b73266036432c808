// Finds files, exports and packages that nothing uses: node tools/lint/unused.ts [option of knip...]
import { join } from 'node:path';
import { install, run } from './install.ts';

install();
process.exitCode = run('knip', process.argv.slice(2), join(import.meta.dirname, '../..'));
