import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looked } from '../../../../functions/resync-due.ts';
import { childKinds, parentKinds } from '../../../../resources/managed/kinds.ts';
import { resourceOf, resources } from '../../../../test/faults/oracles/managed.ts';
import { orphanKinds } from '../../resync/orphans.ts';

const kindOf = ({ apiVersion, kind }: { readonly apiVersion: string; readonly kind: string }): string =>
  `${apiVersion} ${kind}`;
const childrenOf = (resource: (typeof resources)[number]): readonly string[] =>
  [...resource.children({ ...resource, namespace: 'shop', name: 'web' }).values()].map(kindOf);

test('every resource is asked after by the resync, and looked at by the doctor', () => {
  assert.deepEqual(parentKinds.map(kindOf), resources.map(kindOf));
  for (const one of parentKinds) assert.equal(resourceOf(one)?.apiVersion, one.apiVersion);
});

for (const resource of resources) {
  test(`the children of a ${resource.kind} concern it`, () => {
    const own = childKinds.filter(({ parents }) => parents.some(({ kind }) => kind === resource.kind));
    assert.deepEqual(own.map(kindOf).sort(), [...new Set(childrenOf(resource))].sort());
  });

  test(`an orphan of a ${resource.kind} is looked for by a child that is not a Secret`, () => {
    const own = looked.map(kindOf).filter((kind) => childrenOf(resource).includes(kind));
    assert.ok(own.length > 0, `an orphan of a ${resource.kind} would never be found: it has Secrets alone`);
  });
}

const greeting = { apiVersion: 'example.dev/v1', kind: 'Greeting' };
const message = { apiVersion: 'myorg.dev/v1', kind: 'Message' };
const rows: readonly { sentence: string; children: readonly [kind: string, ...parents: object[]][]; found: string }[] =
  [
    {
      sentence: 'by what does something',
      children: [
        ['Pod', message],
        ['ConfigMap', message],
      ],
      found: 'Pod',
    },
    {
      sentence: 'by what there is, where nothing does anything',
      children: [['ConfigMap', greeting]],
      found: 'ConfigMap',
    },
    { sentence: 'never by Secrets', children: [['Secret', greeting]], found: '' },
    {
      sentence: 'once for all that have such a child, whatever else one of them has',
      children: [
        ['ConfigMap', greeting, message],
        ['Service', greeting, message],
      ],
      found: 'Service',
    },
    {
      sentence: 'for each by its own',
      children: [
        ['Pod', message],
        ['ConfigMap', greeting, message],
      ],
      found: 'Pod,ConfigMap',
    },
  ];

for (const { sentence, children, found } of rows) {
  test(`orphans are looked for ${sentence}`, () => {
    const given = children.map(([kind, ...parents]) => ({
      apiVersion: 'v1',
      kind,
      parents: parents as (typeof message)[],
    }));
    assert.equal(
      orphanKinds(given)
        .map(({ kind }) => kind)
        .join(),
      found,
    );
  });
}

test('orphans are looked for among what this controller has made', () => {
  const [kind] = orphanKinds([{ apiVersion: 'v1', kind: 'Pod', parents: [message] }], 'demo');
  const selector = 'app.kubernetes.io/managed-by=demo,knudge.dev/owner-uid,!pod-template-hash';
  assert.equal(kind?.labelSelector, selector);
});
