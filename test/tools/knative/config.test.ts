import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { programs } from '../../../tools/knative/programs.ts';

const root = join(import.meta.dirname, '../../../tools/knative');
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const config = globSync('config/**/*.yaml', { cwd: root }).map(textOf).join('\n');

/** Made of the wheel of the data plane, not of a Go module. */
const envoy = 'envoy';
const built = Object.values(programs).flat();
const named = new Set(
  [...config.matchAll(/dev\.local\/([\w-]+)(?:, newTag: |:)built/g)].map(([, image = '']) => image),
);

test('the manifests name the images that are built, and no others', () => {
  assert.deepEqual([...named].sort(), [...built.map(({ image }) => image), envoy].sort());
});

test('a program of Knative gets the image that stands for its package', () => {
  for (const [, path = '', image = ''] of config.matchAll(/name: ko:\/\/(\S+), newName: dev\.local\/([\w-]+)/g))
    assert.equal(built.find((program) => program.package === path)?.image, image, path);
});

test('go.mod has each program as a tool, so that its version and those of its libraries are pinned', () => {
  const tools = new Set(/^tool \(\n([^)]*)\)/m.exec(textOf('go.mod'))?.[1]?.trim().split(/\s+/));
  const fromModules = built.map((program) => program.package).filter((path) => !path.startsWith('.'));
  assert.deepEqual([...tools].sort(), fromModules.sort());
});

test('programs that are built together have names of their own', () => {
  for (const group of Object.values(programs)) {
    const names = group.map((program) => program.package.split('/').at(-1));
    assert.equal(new Set(names).size, names.length, names.join(', '));
  }
});
