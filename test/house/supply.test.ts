import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { filesOf, root, textOf } from './files.ts';

interface Locked {
  /** A package of this repository, which npm links into node_modules. */
  readonly link?: boolean;
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

const { packages } = JSON.parse(textOf('package-lock.json')) as { readonly packages: Readonly<Record<string, Locked>> };
const manifest = JSON.parse(textOf('package.json')) as Manifest;
/** The folders of this repository's own packages, which need no checksum. */
const own = Object.entries(packages).flatMap(([, { link, resolved }]) => (link === true ? [resolved ?? ''] : []));
const locked = Object.entries(packages).filter(
  ([path, { link }]) => path !== '' && link !== true && !own.includes(path),
);

describe('S19: the packages', () => {
  it('that run are few: each has its place in a decision or in tools/lint/directions', () => {
    const names = Object.keys(manifest.dependencies);
    // 12, and express, which serves the event log alone (decision 0052).
    const most = 13;
    assert.ok(names.length <= most, `${names.length} runtime packages; ${most} is the limit: ${names.join(', ')}`);
    assert.ok(textOf('docs/security.md').includes(`| at most ${most} runtime packages,`));
    const places = filesOf('tools/lint/directions', '.ts').map(textOf).join('\n');
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

  it('are locked by checksum, from whichever registry a machine uses', () => {
    const wrong = locked.filter(([, { resolved, integrity = '' }]) => {
      return resolved !== undefined || !integrity.startsWith('sha512-');
    });
    assert.deepEqual(
      wrong.map(([path]) => path),
      [],
    );
    assert.match(textOf('.npmrc'), /^omit-lockfile-registry-resolved=true$/m);
  });

  // `npm ci` refuses a lockfile that lacks one, whatever machine it runs on.
  it('are locked with all that they need, on every platform', () => {
    assert.deepEqual(
      locked.flatMap(([path, { dependencies, optionalDependencies }]) =>
        Object.keys({ ...dependencies, ...optionalDependencies })
          .filter((name) => !isLocked(path, name))
          .map((name) => `${path} needs ${name}`),
      ),
      [],
    );
    const systems = locked
      .filter(([path]) => path.startsWith('node_modules/@biomejs/cli-'))
      .flatMap(([, { os }]) => os);
    assert.deepEqual([...new Set(systems)].sort(), ['darwin', 'linux', 'win32']);
  });

  it('that run have nothing to run when they are installed', () => {
    const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    assert.deepEqual(
      scripted.filter(([, { dev }]) => dev !== true).map(([path]) => path),
      [],
    );
  });

  it('that have something to run all the same are told not to', () => {
    const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const denied = scripted.map(([path]) => [path.replace(/.*node_modules\//, ''), false]);
    assert.deepEqual(manifest.allowScripts, Object.fromEntries(denied));
  });

  it('run nothing when they are installed, by any npm, here and in the Dockerfile', () => {
    assert.match(textOf('.npmrc'), /^ignore-scripts=true$/m);
    const { status, stdout } = spawnSync('npm', ['config', 'get', 'ignore-scripts'], { cwd: root, encoding: 'utf8' });
    assert.deepEqual([status, stdout.trim()], [0, 'true']);
    const [copied = ''] = /^COPY package\.json .*$/m.exec(textOf('Dockerfile')) ?? [];
    assert.match(copied, / \.npmrc /);
    // npm would leave these of ours out too, without a word.
    const hooks = Object.keys(manifest.scripts).filter((name) => /^(pre|post)|^(install|prepare)$/.test(name));
    assert.deepEqual(hooks, []);
  });

  it('that lint, check and bundle are among them, under a checksum', () => {
    for (const name of ['@biomejs/biome', 'knip', 'typescript', 'esbuild']) {
      const { version, integrity = '' } = packages[`node_modules/${name}`] ?? {};
      assert.equal(version, manifest.devDependencies[name], name);
      assert.match(integrity, /^sha512-/, name);
    }
  });

  it('are all in this one list, so that nothing has to be installed later', () => {
    const lists = filesOf('.', '.json').filter((path) => /(^|\/)package(-lock)?\.json$/.test(path));
    // A peer that a bench measures has a list of its own, installed into the cache and never here.
    const ofPeer = 'bench/peers/contestants/client-node/';
    // `knudge new controller` copies the first, and the second is of an operator to compare with; nothing is installed by them here.
    const ofExamples = ['examples/controller/package.json', 'examples/compare/pepr/package.json'];
    assert.deepEqual(
      lists.filter((path) => !path.startsWith(ofPeer) && !ofExamples.includes(path)),
      [...own.map((folder) => `${folder}/package.json`), 'package-lock.json', 'package.json'].sort(),
    );
    const peer = JSON.parse(textOf(`${ofPeer}package.json`)) as Manifest;
    assert.deepEqual(Object.keys(peer.dependencies), ['@kubernetes/client-node']);
    const installs = /'npm', \[\s*'(install|i|add|ci|exec|update)'/;
    const code = [...filesOf('tools', '.ts'), ...filesOf('test', '.ts')];
    assert.deepEqual(
      code.filter((path) => installs.test(textOf(path))),
      [],
    );
  });

  it('are all that a fresh clone needs: CI begins with the commands of the README, and empty caches', () => {
    const steps = textOf('.ci/run')
      .split('\n')
      .filter((line) => line.startsWith('step '));
    const commands = textOf('README.md')
      .split('\n')
      .filter((line) => /^npm (ci|test)$/.test(line));
    assert.deepEqual(commands, ['npm ci', 'npm test']);
    assert.deepEqual(steps.slice(0, 3), [
      'step git clone --quiet --no-hardlinks . "$clone"',
      ...commands.map((command) => `step in_clone ${command}`),
    ]);
    const inClone = /^in_clone\(\) \{\n(.+)\n\}$/m.exec(textOf('.ci/run'))?.[1];
    assert.equal(inClone?.trim(), '(cd "$clone" && npm_config_cache=$work/npm XDG_CACHE_HOME=$work/cache "$@")');
  });

  it('are installed from the lockfile alone where a change is tried', () => {
    assert.match(textOf('.ci/run'), /^step npm ci\b/m);
    assert.doesNotMatch(textOf('.ci/run'), /npm (install|update|i)\b/);
  });
});

/** As Node looks for it: in the folder of the package, and then in those of the packages around it. */
function isLocked(path: string, name: string): boolean {
  if (packages[`${path}/node_modules/${name}`] !== undefined) return true;
  const around = path.lastIndexOf('/node_modules/');
  return around < 0 ? packages[`node_modules/${name}`] !== undefined : isLocked(path.slice(0, around), name);
}
