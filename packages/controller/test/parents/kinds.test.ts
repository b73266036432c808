import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourceOf, resources } from '../../../../test/faults/oracles/managed.ts';
import { parentKinds } from '../../parents/kinds.ts';
import { childKinds } from '../../resync/orphans.ts';

const kindOf = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): string =>
  `${apiVersion} ${kind}`;
const childrenOf = (resource: (typeof resources)[number]): readonly string[] =>
  [...resource.children({ ...resource, namespace: 'shop', name: 'web' }).values()].map(kindOf);

test('every resource is asked after by the resync, and looked at by the doctor', () => {
  assert.deepEqual(parentKinds.map(kindOf).sort(), resources.map(kindOf).sort());
  for (const one of parentKinds) assert.equal(resourceOf(one)?.apiVersion, one.apiVersion);
});

for (const resource of resources) {
  test(`an orphan of a ${resource.kind} is looked for by a child that is not a Secret`, () => {
    const looked = childKinds.map(kindOf).filter((kind) => childrenOf(resource).includes(kind));
    assert.ok(
      looked.length > 0,
      `add a kind of ${childrenOf(resource).join(', ')} to packages/controller/resync/orphans.ts`,
    );
    assert.ok(!childKinds.some(({ kind }) => kind === 'Secret'), 'no function lists Secrets');
  });
}

test('what is looked at is a child of something', () => {
  const all = resources.flatMap(childrenOf);
  for (const kind of childKinds.map(kindOf)) assert.ok(all.includes(kind), kind);
});
