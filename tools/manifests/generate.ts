import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hold } from '../types/hold.ts';
import { manifestFiles } from './files.ts';

const root = join(import.meta.dirname, '../..');
const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

const from = 'functions/, crds/ and resources/managed/resources.ts';
await hold({ root, files: await manifestFiles(root), check, from, command: 'npm run manifests' });
