import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { foldersIn } from './commands.ts';
import { filesOf, root, textOf } from './files.ts';

const places = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];
const told = [
  ...places,
  ...filesOf('.', '.md').filter((path) => !places.includes(path)),
  ...['crds', 'deploy', 'eventing', 'examples', 'packages', 'resources', 'cli', 'functions', 'tools'].flatMap(
    (folder) => filesOf(folder).filter((path) => /\.(ts|mjs|yaml)$/.test(path)),
  ),
];

/** `kubectl apply -f` of such a folder makes what is in it and ends with 1 all the same: it takes the list for an object. */
const isKustomized = (folder: string): boolean => existsSync(join(root, folder, 'kustomization.yaml'));

describe('what people are told to give to kubectl', () => {
  const found = told.flatMap((path) => foldersIn(textOf(path)).map((one) => ({ path, ...one })));

  it('is found', () => {
    assert.ok(found.some(({ option, target }) => option === '-k' && target === 'deploy'));
    assert.ok(found.some(({ option, target }) => option === '-f' && target === 'examples/message-hello.yaml'));
  });

  it('is no folder with a kustomization.yaml after -f', () => {
    const wrong = found.filter(({ option, target }) => option === '-f' && isKustomized(target));
    assert.deepEqual(wrong, []);
  });

  it('is a folder with a kustomization.yaml after -k', () => {
    const wrong = found.filter(({ option, target }) => option === '-k' && target !== '.' && !isKustomized(target));
    assert.deepEqual(wrong, []);
  });
});

describe('of a command', () => {
  const lines: readonly { text: string; wanted: readonly string[] }[] = [
    { text: '`kubectl apply -f crds`', wanted: ['-f crds'] },
    { text: 'kubectl --namespace lab delete --filename=crds/ # all', wanted: ['-f crds'] },
    { text: "say 'kubectl apply --kustomize deploy/overlays/kafka',", wanted: ['-k deploy/overlays/kafka'] },
    { text: 'kubectl apply -k crds && kubectl apply -f eventing', wanted: ['-k crds', '-f eventing'] },
    { text: 'kubectl diff -R -f a -f b', wanted: ['-f a', '-f b'] },
    { text: 'kubectl apply --server-side -f -', wanted: [] },
    { text: 'kubectl apply -f https://example.com/x.yaml', wanted: [] },
    { text: 'kubectl apply -k deploy/overlays/<name>', wanted: [] },
    { text: 'kubectl get pods -f x', wanted: [] },
  ];
  for (const { text, wanted } of lines) {
    it(`${text} it is read`, () => {
      assert.deepEqual(
        foldersIn(text).map(({ option, target }) => `${option} ${target}`),
        wanted,
      );
    });
  }
});
