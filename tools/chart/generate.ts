import { parseArgs } from 'node:util';
import { bring } from './bring.ts';
import { kustomized } from './kustomize.ts';
import { templatesOf } from './templates.ts';
import { variants } from './variants.ts';

const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

const made = await kustomized(variants.map((variant) => variant.folder));
const files = templatesOf(variants.map(({ when }, index) => ({ when, objects: made[index] ?? [] })));
const byHand = ['NOTES.txt', '_helpers.tpl'];
await bring({ folder: 'charts/knudge/templates', files, byHand, check, command: 'npm run chart' });
