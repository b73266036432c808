import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textOf } from './files.ts';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const { packages } = JSON.parse(textOf('package-lock.json')) as { readonly packages: Readonly<Record<string, Locked>> };
const manifest = JSON.parse(textOf('package.json')) as Manifest;
const locked = Object.entries(packages).filter(([path]) => path !== '');

describe('S19: the packages', () => {
  it('that run are few: each has its place in a decision or in tools/lint/directions.ts', () => {
    const names = Object.keys(manifest.dependencies);
    assert.ok(names.length <= 11, `${names.length} runtime packages; 11 is the limit: ${names.join(', ')}`);
    const places = textOf('tools/lint/directions.ts');
    assert.deepEqual(
      names.filter((name) => !places.includes(`'${name}'`)),
      [],
    );
  });

  it('are pinned to one version each', () => {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies });
    assert.deepEqual(
      all.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version)),
      [],
    );
  });

  it('are locked with all that they need, by checksum, from a registry and no other place', () => {
    const wrong = locked.filter(([, { resolved = 'https://', integrity = '' }]) => {
      return !resolved.startsWith('https://') || !integrity.startsWith('sha512-');
    });
    assert.deepEqual(
      wrong.map(([path]) => path),
      [],
    );
  });

  it('that run have nothing to run when they are installed', () => {
    const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    assert.deepEqual(
      scripted.filter(([, { dev }]) => dev !== true).map(([path]) => path),
      [],
    );
  });

  it('are installed from the lockfile alone where a change is tried', () => {
    assert.match(textOf('.ci/run'), /^step npm ci\b/m);
    assert.doesNotMatch(textOf('.ci/run'), /npm (install|update|i)\b/);
  });
});
