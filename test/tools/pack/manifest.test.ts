import assert from 'node:assert/strict';
import { test } from 'node:test';
import { neededBy, packedManifest } from '../../../tools/pack/manifest.ts';
import { withoutPaths } from '../../../tools/pack/readme.ts';

const controller = { name: '@knudge/controller', version: '1.2.3', dependencies: { pino: '10.0.0' } };
const source = {
  name: '@knudge/source',
  version: '1.2.3',
  exports: { '.': './index.ts', './deep': './deep/index.ts' },
  dependencies: { '@knudge/controller': '1.2.3' },
  devDependencies: { supertest: '7.0.0' },
};

test('a packed package exports what was compiled, and develops with nothing', () => {
  assert.deepEqual(packedManifest(source, []), {
    name: '@knudge/source',
    version: '1.2.3',
    exports: {
      '.': { types: './index.d.ts', default: './index.js' },
      './deep': { types: './deep/index.d.ts', default: './deep/index.js' },
      './-/*': './*',
    },
    dependencies: { '@knudge/controller': '1.2.3' },
  });
});

test('one with others in it asks for what they need', () => {
  const bin = { knudge: 'knudge.js' };
  const cli = {
    name: '@knudge/cli',
    version: '1.2.3',
    bin,
    dependencies: { '@knudge/source': '1.2.3', commander: '15.0.0' },
  };
  assert.deepEqual(packedManifest(cli, [controller, source]), {
    name: '@knudge/cli',
    version: '1.2.3',
    bin,
    dependencies: { '@knudge/controller': '1.2.3', '@knudge/source': '1.2.3', commander: '15.0.0', pino: '10.0.0' },
    bundleDependencies: ['@knudge/controller', '@knudge/source'],
  });
});

test('what a package needs is found through others, also in a circle', () => {
  const needs: Readonly<Record<string, readonly string[]>> = { a: ['b'], b: ['d', 'c'], c: ['b', 'a'], e: ['a'] };
  assert.deepEqual(
    neededBy('a', (name) => needs[name] ?? []),
    ['b', 'c', 'd'],
  );
});

test('links that lead into the repository become their texts', () => {
  const text = 'See [docs/api.md](../../docs/api.md) and [Knative](https://knative.dev).';
  assert.equal(withoutPaths(text), 'See docs/api.md and [Knative](https://knative.dev).');
});
