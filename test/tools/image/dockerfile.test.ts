import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { entrypoint, environment, labelsOf, port, userAndGroup } from '../../../packages/image/config.ts';
import { about } from '../../../tools/image/config.ts';
import { textOf } from '../../house/files.ts';

/** The instructions of the last stage, and those of the stages before it. */
const { build, image } = stagesOf(textOf('Dockerfile'));

interface Instruction {
  readonly name: string;
  readonly value: string;
}

function stagesOf(text: string): { readonly build: readonly Instruction[]; readonly image: readonly Instruction[] } {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const instructions = lines.map((line) => {
    const [, name = '', value = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? assert.fail(`one instruction a line: ${line}`);
    return { name, value };
  });
  const last = instructions.findLastIndex(({ name }) => name === 'FROM');
  return { build: instructions.slice(0, last), image: instructions.slice(last) };
}

const valuesOf = (stage: readonly Instruction[], wanted: string): readonly string[] =>
  stage.flatMap(({ name, value }) => (name === wanted ? [value] : []));

test('the Dockerfile makes an image of nothing but the file system that npm run image lays out', () => {
  assert.deepEqual(valuesOf(image, 'FROM'), ['scratch']);
  const [, folder] = /image -- --root (\S+)$/.exec(valuesOf(build, 'RUN').at(-1) ?? '') ?? [];
  assert.ok(folder);
  assert.deepEqual(valuesOf(image, 'COPY'), [`--from=build ${folder}/ /`]);
  assert.deepEqual(valuesOf(image, 'RUN'), []);
});

test('it runs as the same user, by the same entrypoint, in the same environment', () => {
  assert.deepEqual(valuesOf(image, 'USER'), [userAndGroup]);
  assert.deepEqual(
    valuesOf(image, 'ENTRYPOINT').map((value) => JSON.parse(value) as unknown),
    [entrypoint],
  );
  assert.deepEqual(valuesOf(image, 'CMD'), []);
  assert.deepEqual(
    valuesOf(image, 'ENV'),
    Object.entries(environment).map(([name, value]) => `${name}=${value}`),
  );
  assert.deepEqual(valuesOf(image, 'EXPOSE'), [`${String(port)}/tcp`]);
  assert.deepEqual(valuesOf(image, 'WORKDIR'), ['/']);
});

test('it has the same labels, but for the time, which Docker writes itself', () => {
  const { 'org.opencontainers.image.created': _, ...wanted } = labelsOf(about, { createdAt: 0, revision: '$REVISION' });
  const labels = valuesOf(image, 'LABEL').map((value) => /^(\S+)="(.*)"$/.exec(value)?.slice(1) ?? [value]);
  assert.deepEqual(Object.fromEntries(labels), wanted);
});

test('what it copies is there, and .dockerignore leaves it in', () => {
  const ignored = textOf('.dockerignore').trim().split('\n');
  const sources = valuesOf(build, 'COPY').flatMap((value) => value.split(' ').slice(0, -1));
  for (const source of sources) {
    assert.ok(existsSync(source), source);
    assert.ok(!ignored.includes(source.replace(/^\.\//, '')), source);
  }
});

test('it builds with the version of Node.js that the image has', () => {
  const { optionalDependencies } = JSON.parse(textOf('package.json')) as {
    optionalDependencies: Record<string, string>;
  };
  for (const version of Object.values(optionalDependencies)) {
    assert.deepEqual(valuesOf(build, 'FROM'), [`node:${version}-bookworm AS build`]);
  }
});
