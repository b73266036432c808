import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { bring } from './bring.ts';
import { kustomized } from './kustomize.ts';
import { all } from './merge.ts';
import { templatesOf } from './templates.ts';
import { type Pair, pairs, partsOf, variants } from './variants.ts';

const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

const ways = [
  ...variants.map(({ folder, when }) => ({ of: folder, when })),
  ...pairs.map((pair) => ({ of: kustomizationOf(pair), when: all(partsOf(pair)), parts: partsOf(pair) })),
];
const made = await kustomized(ways.map((way) => way.of));
const files = templatesOf(ways.map(({ of, ...way }, index) => ({ ...way, objects: made[index] ?? [] })));
const byHand = ['NOTES.txt', '_helpers.tpl'];
await bring({ folder: 'charts/knudge/templates', files, byHand, check, command: 'npm run chart' });

function kustomizationOf({ overlay, component }: Pair) {
  const text = stringify({
    resources: [`../deploy/overlays/${overlay}`],
    components: [`../deploy/components/${component}`],
  });
  return { name: `${overlay}-${component}`, text };
}
