import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readManifests } from '../../packages/mesh/manifests/read-manifests.ts';
import { draw } from './draw.ts';
import { stagesOf } from './stages.ts';

const root = join(import.meta.dirname, '../..');
const file = 'docs/way-of-an-event.svg';
const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

const path = join(root, file);
const wanted = draw(stagesOf(readManifests({ root })));
const present = await readFile(path, 'utf8').catch(() => '');
if (wanted !== present) {
  if (check) {
    process.stderr.write(`${file} is not what eventing/ and deploy/ say: run \`npm run picture\`\n`);
    process.exitCode = 1;
  } else {
    await writeFile(path, wanted);
    process.stdout.write(`${file} written\n`);
  }
}
