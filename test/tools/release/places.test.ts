import assert from 'node:assert/strict';
import { test } from 'node:test';
import { version } from '../../../packages/start/version.ts';
import { packages as ours } from '../../../tools/pack/packages.ts';
import { isPlace, raised } from '../../../tools/release/places.ts';
import { filesOf, textOf } from '../../house/files.ts';

/** Made by programs, or with entries of their own for each version; tests keep versions of their own. */
const notByPlaces =
  /^(bundle|test|charts\/knudge\/templates)\/|\/test\/|^CHANGELOG\.md$|^docs\/first-five-minutes\.md$|\.(gz|sum)$/;
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

interface Locked {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

test('the version is raised in the lockfile for Knudge and its packages alone, and in SECURITY.md by major and minor', () => {
  const after = raised(places, raise);
  const { packages } = JSON.parse(after.get('package-lock.json') ?? '') as { packages: Record<string, Locked> };
  const { packages: before } = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, Locked> };
  const isOurs = (name = '') => /^(knudge$|@knudge\/)/.test(name);
  const expected = Object.entries(before).map(([path, locked]) => {
    if (!isOurs(locked.name)) return [path, locked];
    const raisedIn = (needs: Locked['dependencies'] = {}) =>
      Object.fromEntries(Object.entries(needs).map(([name, had]) => [name, isOurs(name) ? raise.to : had]));
    const { dependencies, peerDependencies } = locked;
    const own = dependencies && { dependencies: raisedIn(dependencies) };
    const peers = peerDependencies && { peerDependencies: raisedIn(peerDependencies) };
    return [path, { ...locked, version: raise.to, ...own, ...peers }];
  });
  assert.deepEqual(packages, Object.fromEntries(expected));
  assert.equal(Object.values(packages).filter((locked) => locked.version === raise.to).length, 1 + ours.length);
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
