import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { rightsOf, textOfRight } from '../../../packages/controller/domain/rights.ts';
import { readManifests } from '../../../packages/mesh/manifests/read-manifests.ts';
import { traceEvents } from '../../../packages/mesh/map/trace.ts';
import type * as Kinds from '../../../resources/managed/kinds.ts';
import { root } from '../../house/files.ts';
import { greeting } from './greeting.ts';

const copy = mkdtempSync(join(tmpdir(), 'knudge-greeting-'));
after(() => rmSync(copy, { recursive: true }));

for (const folder of ['crds', 'deploy', 'eventing', 'functions', 'packages', 'resources', 'cli', 'tools'])
  cpSync(join(root, folder), join(copy, folder), { recursive: true });
cpSync(join(root, 'package.json'), join(copy, 'package.json'));
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

const textOf = (path: string): string => readFileSync(join(copy, path), 'utf8');
const textsIn = (home: string, folder: string) =>
  readdirSync(join(home, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [
      join(parentPath, name).slice(home.length),
      readFileSync(join(parentPath, name), 'utf8'),
    ])
    .sort();
const before = new Map(['crds', 'deploy', 'eventing'].map((folder) => [folder, textsIn(copy, folder)]));
const generate = (part: string, ...options: readonly string[]) =>
  spawnSync(process.execPath, ['cli/knudge.js', 'generate', part, ...options], { cwd: copy, encoding: 'utf8' });

describe('a new resource with a child', () => {
  it('comes to a tree whose manifests are what the command makes of it', () => {
    const { status, stdout } = generate('manifests', '--check');
    assert.deepEqual([status, stdout], [0, 'every generated file is up to date\n']);
  });

  it('is written into four files', () => {
    for (const [path, edit] of Object.entries(greeting)) {
      const present = path.startsWith('resources/greeting/') || path.startsWith('crds/') ? '' : textOf(path);
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      const text = edit(present);
      assert.notEqual(text, present, path);
      writeFileSync(join(copy, path), text);
    }
    assert.ok(Object.keys(greeting).length <= 4);
  });

  it('is missed by the checks until the commands have run', () => {
    const missed = generate('types', '--check');
    assert.equal(missed.status, 1);
    assert.match(missed.stdout, /resources\/greeting\/types\.ts is not what .* say: run `npm run types`/);
    for (const part of ['types', 'manifests']) {
      const { status, stderr } = generate(part);
      assert.equal(status, 0, stderr);
      assert.equal(generate(part, '--check').status, 0);
    }
  });

  it('has types, its plural, and a place in the lists of parents and of their children', async () => {
    assert.match(textOf('resources/greeting/types.ts'), /export interface GreetingSpec \{\n\s+readonly who: string;/);
    assert.match(textOf('resources/managed/kinds.ts'), /'example\.dev\/v1\/Greeting': \{ plural: 'greetings'/);
    const { parentKinds, childKinds } = (await import(join(copy, 'resources/managed/kinds.ts'))) as typeof Kinds;
    const kinds: readonly { readonly kind: string }[] = parentKinds;
    assert.ok(kinds.some(({ kind }) => kind === 'Greeting'));
    const parents: readonly { readonly kind: string }[] =
      childKinds.find(({ kind }) => kind === 'ConfigMap')?.parents ?? [];
    assert.deepEqual(
      parents.map(({ kind }) => kind),
      ['DistributedService', 'Greeting'],
    );
    assert.ok(readFileSync(join(copy, 'functions/table.ts'), 'utf8').includes("'greeting-changed'"));
  });

  it('wakes a function by a source and a Trigger', () => {
    const way = traceEvents(readManifests({ root: copy })).ways.find(({ about }) => about === 'Greeting');
    const stops = way?.to.filter(({ trigger }) => trigger === 'greeting-changed');
    assert.deepEqual(
      stops?.map(({ makes }) => makes),
      [['configmaps']],
    );
  });

  const may = (account: string): readonly string[] =>
    rightsOf({ namespace: 'knudge', name: account }, readManifests({ root: copy }).objects).map(textOfRight);

  it('is reconciled by its own account, and by that of what its child wakes, with the rights for it', () => {
    const needed = [
      'get greetings of example.dev',
      'patch greetings/status of example.dev',
      'update greetings/finalizers of example.dev',
      ...['get', 'create', 'patch', 'delete'].map((verb) => `${verb} configmaps`),
    ];
    assert.deepEqual(may('greeting'), [...needed, 'create events of events.k8s.io']);
    assert.deepEqual(
      needed.filter((right) => !may('distributed-service').includes(right)),
      [],
    );
    assert.ok(!may('message').some((right) => right.includes('greetings')));
  });

  it('is listed by the resync and watched by the sources, with what it makes', () => {
    for (const right of ['list greetings of example.dev', 'list configmaps'])
      assert.ok(may('resync-due').includes(right));
    assert.ok(may('cluster-objects').includes('watch greetings of example.dev'));
    assert.match(textOf('deploy/components/source/account.yaml'), /resources: \[greetings\]/);
  });

  for (const [path, wanted] of [
    ['crds/kustomization.yaml', /- greetings\.yaml/],
    ['eventing/kustomization.yaml', /- triggers\/greeting-changed\.yaml/],
    ['deploy/functions/kustomization.yaml', /- greeting-changed\.yaml/],
    ['deploy/accounts/kustomization.yaml', /- greeting\.yaml/],
    ['deploy/admission/children.yaml', /a DistributedService, a Message or a Greeting/],
    ['deploy/admission/itself.yaml', /owner\.kind == 'Greeting' && owner\.apiVersion\.startsWith\('example\.dev\/'\)/],
    [
      'deploy/admission/itself.yaml',
      /kind in \['configmaps'\] \? \(.*startsWith\('frp-'\)\n *\|\| .*startsWith\('greet-'\)\)/,
    ],
    ['deploy/components/prometheus/network-policy.yaml', /- greeting-changed$/m],
    ['deploy/components/single-namespace/kustomization.yaml', /knudge-\(distributed-service\|greeting\|message\|/],
    ['deploy/components/single-namespace/kustomization.yaml', /- greeting-changed$/m],
    ['deploy/first-resync/job.yaml', /resourceNames: \[resync-due, .*greeting-changed\]/],
    ['deploy/network-policies/broker.yaml', /values: \[frp-gate, greeting-changed, message-changed\]/],
    ['deploy/network-policies/tunnels.yaml', /values: \[event-log, frp-gate, greeting-changed, /],
    ['deploy/overlays/secure/kustomization.yaml', /OIDC_AUDIENCE, value: knudge\/greeting-changed/],
  ] as const) {
    it(`${path} has ${wanted.source}`, () => assert.match(textOf(path), wanted));
  }

  it('leaves nothing behind when it is taken away again', () => {
    for (const path of Object.keys(greeting)) {
      rmSync(join(copy, path));
      if (!/greeting/.test(path)) cpSync(join(root, path), join(copy, path));
    }
    for (const part of ['types', 'manifests']) assert.equal(generate(part).status, 0);
    for (const [folder, texts] of before) assert.deepEqual(textsIn(copy, folder), texts);
  });
});
