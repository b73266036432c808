import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { kustomized } from './kustomize.ts';
import { templatesOf } from './templates.ts';
import { variants } from './variants.ts';

const root = join(import.meta.dirname, '../..');
const folder = 'charts/knudge/templates';
/** Written by hand, so they are let be. */
const byHand = ['NOTES.txt', '_helpers.tpl'];
const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

const made = await kustomized(variants.map((variant) => variant.folder));
const templates = templatesOf(variants.map(({ when }, index) => ({ when, objects: made[index] ?? [] })));
const present = (await readdir(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && !byHand.includes(entry.name))
  .map((entry) => join(entry.parentPath, entry.name).slice(join(root, folder).length + 1));

for (const file of new Set([...templates.keys(), ...present])) await bring(file, templates.get(file));

/** The file as it should be; no file where it should not be. */
async function bring(file: string, wanted: string | undefined): Promise<void> {
  const path = join(root, folder, file);
  const found = await readFile(path, 'utf8').catch(() => undefined);
  if (wanted === found) return;
  if (check) {
    process.stderr.write(`${folder}/${file} is not what the kustomizations say: run \`npm run chart\`\n`);
    process.exitCode = 1;
  } else if (wanted === undefined) {
    await rm(path);
    process.stdout.write(`${folder}/${file} removed\n`);
  } else {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, wanted);
    process.stdout.write(`${folder}/${file} written\n`);
  }
}
