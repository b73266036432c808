import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hold } from '../hold.ts';
import { declare } from './declarations.ts';
import { pageOf } from './page.ts';

const root = join(import.meta.dirname, '../..');
const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

const { read: declared, remove } = declare(root);
try {
  const page = pageOf({ text: (path) => readFileSync(join(root, path), 'utf8'), declared });
  const files = new Map([['docs/api.md', page]]);
  await hold({ root, files, check, from: 'the entry files of packages/', command: 'npm run api' });
} finally {
  remove();
}
