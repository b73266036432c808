import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { nounsFor, typesOf } from './types-of.ts';

/** Each CRD and the file of its types. */
const files = [
  { crd: 'crds/claims.yaml', types: 'resources/distributed-service/claims/types.ts' },
  { crd: 'crds/distributedservices.yaml', types: 'resources/distributed-service/types.ts' },
  { crd: 'crds/messages.yaml', types: 'resources/message/types.ts' },
];

const root = join(import.meta.dirname, '../..');
const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

for (const { crd, types } of files) {
  const path = join(root, types);
  const wanted = await typesOf(crd, await readFile(join(root, crd), 'utf8'), nounsFor(types));
  const present = await readFile(path, 'utf8').catch(() => '');
  if (wanted === present) continue;
  if (check) {
    process.stderr.write(`${types} is not what ${crd} says: run \`npm run types\`\n`);
    process.exitCode = 1;
  } else {
    await writeFile(path, wanted);
    process.stdout.write(`${types} written\n`);
  }
}
