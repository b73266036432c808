import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { packages } from '../../../tools/pack/packages.ts';
import { root } from '../../house/files.ts';

export interface SmallTree {
  readonly folder: string;
  readonly remove: () => void;
}

/** What each package depends on; `yaml` stands for the packages of others. */
const needs: Readonly<Record<string, readonly string[]>> = {
  controller: ['yaml'],
  mesh: ['@knudge/controller'],
  cli: ['@knudge/mesh'],
};

/** A repository with the same packages, and these files in them. */
export function smallTree(files: Readonly<Record<string, string>>): SmallTree {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-small-'));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const path of ['LICENSE', 'tsconfig.json']) cpSync(join(root, path), join(folder, path));
  cpSync(join(root, 'examples/controller'), join(folder, 'examples/controller'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const { name, folder: own } of packages) {
    const dependencies = Object.fromEntries((needs[name] ?? []).map((one) => [one, '1.0.0']));
    const entry = name === 'cli' ? { bin: { knudge: 'knudge.js' } } : { exports: { '.': './index.ts' } };
    const manifest = { name: `@knudge/${name}`, version: '1.0.0', type: 'module', ...entry, dependencies };
    write(`${own}/package.json`, JSON.stringify(manifest));
    write(`${own}/README.md`, `# ${name}\n`);
    if (name !== 'cli') write(`${own}/index.ts`, 'export {};\n');
  }
  for (const [path, text] of Object.entries(files)) write(path, text);
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
