import assert from 'node:assert/strict';
import { test } from 'node:test';
import { version } from '../../../packages/controller/version.ts';
import { isPlace, raised } from '../../../tools/release/places.ts';
import { filesOf, textOf } from '../../house/files.ts';

/** Made by programs, or with entries of their own for each version; tests keep versions of their own. */
const notByPlaces = /^(bundle|test|charts\/knudge\/templates)\/|\/test\/|^CHANGELOG\.md$|\.(gz|sum)$/;
const paths = filesOf('.').filter((path) => !notByPlaces.test(path));
const texts = new Map(paths.map((path) => [path, textOf(path)]));
const places = new Map([...texts].filter(([path]) => isPlace(path)));
const raise = { from: version, to: '987.65.4' };

test('no line that speaks of Knudge keeps the version of before', () => {
  const after = new Map([...texts, ...raised(places, raise)]);
  const names = new RegExp(`(?<![\\d.])${version.replaceAll('.', '\\.')}(?![\\d-])`);
  const kept = [...after].flatMap(([path, text]) =>
    text
      .split('\n')
      .filter((line) => /knudge/i.test(line) && names.test(line))
      .map((line) => `${path}: ${line}`),
  );
  assert.deepEqual(kept, []);
});

test('the version is raised in the lockfile for Knudge alone, and in SECURITY.md by major and minor', () => {
  const after = raised(places, raise);
  const { packages } = JSON.parse(after.get('package-lock.json') ?? '') as { packages: Record<string, object> };
  const { packages: before } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, object> };
  assert.deepEqual(packages, { ...before, '': { ...before[''], version: raise.to } });
  assert.match(after.get('SECURITY.md') ?? '', /^\| 987\.65, the newest release of it \|/m);
});

test('raised and lowered again, every file is as it was', () => {
  const after = new Map([...places, ...raised(places, raise)]);
  const again = new Map([...after, ...raised(after, { from: raise.to, to: version })]);
  assert.deepEqual(again, places);
});

test('a place that names no version is told, with what to do', () => {
  const without = new Map(places).set('Dockerfile', 'FROM scratch\n');
  assert.throws(() => raised(without, raise), /Dockerfile.* has "knudge:.*places\.ts/);
});
