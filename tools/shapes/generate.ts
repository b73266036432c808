import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hold } from '../hold.ts';
import { builtinShapesFiles } from './builtin-shapes.ts';

const root = join(import.meta.dirname, '../..');
const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

const from = 'the schemas in packages/kube-api/builtin/openapi.json';
await hold({ root, files: builtinShapesFiles(), check, from, command: 'npm run types' });
