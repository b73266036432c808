import { parseArgs } from 'node:util';
import { bring } from '../chart/bring.ts';
import { bundleFiles } from './files.ts';

const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

await bring({ folder: 'bundle', files: await bundleFiles(), byHand: ['icon.svg'], check, command: 'npm run bundle' });
