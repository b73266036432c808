import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { readManifests } from '../../../packages/mesh/manifests/read-manifests.ts';
import { root } from '../../../test/house/files.ts';
import { harmless } from './advice.ts';
import { carryOut } from './carry-out.ts';
import { ills, installAll, manifests, type Opened, openCluster, settle } from './cluster.ts';

const overlay = 'single-namespace';
const one = readManifests({ root, overlay }).objects;
const installations: readonly { name: string; objects: readonly KubeObject[]; more: { overlay?: string } }[] = [
  { name: 'deploy', objects: manifests, more: {} },
  { name: overlay, objects: one, more: { overlay } },
];
/** What an advice makes anew by itself: nothing of it has an image. */
const makes = /^(ApiServerSource|PingSource|Trigger|(Cluster)?Role(Binding)?)$/;
const isRight = /Role/;
const isBinding = ({ kind }: KubeObject): boolean => /Binding$/.test(kind);
type Rbac = KubeObject & { readonly roleRef: object; readonly subjects: readonly object[] };

const damages: readonly {
  name: string;
  harms: (one: KubeObject) => boolean;
  damage: (cluster: Opened, objects: readonly KubeObject[]) => Promise<void>;
}[] = [
  {
    name: 'gone',
    harms: ({ kind }) => makes.test(kind),
    damage: async ({ remove }, objects) => {
      for (const object of objects) await remove(object);
    },
  },
  {
    name: 'rights that grant nothing',
    harms: ({ kind }) => isRight.test(kind) && !kind.endsWith('Binding'),
    damage: async ({ put }, objects) => {
      for (const object of objects) await put({ ...object, rules: [] } as KubeObject);
    },
  },
  {
    name: 'bindings that name somebody else',
    harms: isBinding,
    damage: async ({ put }, objects) => {
      const subjects = [{ kind: 'ServiceAccount', name: 'x', namespace: 'default' }];
      for (const object of objects) await put({ ...object, subjects } as KubeObject);
    },
  },
  {
    name: 'bindings of another role',
    harms: isBinding,
    damage: async ({ put, remove }, objects) => {
      for (const object of objects as readonly Rbac[]) {
        await remove(object);
        await put({ ...object, roleRef: { ...object.roleRef, name: 'other' } } as KubeObject);
      }
    },
  },
];

for (const { name, objects, more } of installations) {
  for (const { name: what, harms, damage } of damages) {
    test(`${what}: who does what the doctor says of ${name} has it mended`, async (context) => {
      const cluster = await openCluster(context);
      await installAll(cluster, objects);
      // What it says is of paths, which nobody looks at.
      const harmed = objects.filter((object) => harms(object) && !/event-log-reader/.test(object.metadata.name));
      await damage(cluster, harmed);
      const { findings } = await cluster.examine({ manifests: objects, ...more });
      const todos = new Set(findings.flatMap(({ todo }) => todo ?? []));
      assert.ok(todos.size > 0);
      for (const todo of todos) await carryOut(todo, cluster);
      await settle(cluster, objects);
      assert.deepEqual(ills(await cluster.examine({ manifests: objects, ...more })), []);
    });
  }
}

test('in a namespace of another name too', async (context) => {
  const cluster = await openCluster(context);
  const elsewhere = { namespace: 'elsewhere' };
  await cluster.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'elsewhere' } });
  const { findings } = await cluster.examine(elsewhere);
  const isMendable = /^(ApiServerSource|PingSource|Trigger) .* is not there$| may not /;
  const mendable = findings.filter(({ what }) => isMendable.test(what));
  assert.ok(mendable.length > 20, String(mendable.length));
  for (const { todo = '' } of mendable) await carryOut(todo, cluster);
  const left = ills(await cluster.examine(elsewhere));
  assert.deepEqual(
    left.filter((line) => isMendable.test(line.replace(/^\w+ \w+: /, ''))),
    [],
  );
});

test('an advice with an image is seen', () => {
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: { containers: [{ image: 'x' }] } };
  const bad = [
    'kubectl apply -f deploy/functions/distributed-service.yaml',
    'kubectl apply -k deploy/overlays/kafka',
    'see it, then kubectl apply --kustomize deploy/functions',
    `echo '${JSON.stringify(pod)}' | kubectl apply -f -`,
    'kubectl apply -k .',
  ];
  for (const todo of bad) assert.throws(() => harmless(todo), assert.AssertionError, todo);
  harmless('kubectl apply -k crds && kubectl apply -f eventing/broker.yaml');
});
