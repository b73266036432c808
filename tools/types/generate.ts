import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { declared } from '../../resources/managed/declared.ts';
import { typeFiles } from './files.ts';
import { hold } from './hold.ts';

const root = join(import.meta.dirname, '../..');
const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

const files = await typeFiles(root, declared);
await hold({ root, files, check, from: 'crds/ and resources/managed/resources.ts', command: 'npm run types' });
