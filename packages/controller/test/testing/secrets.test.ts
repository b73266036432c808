import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Greeting, greeting } from '../../../../test/build/greeting.ts';
import { greetingCrd } from '../../../../test/build/greeting-crd.ts';
import { defineResource } from '../../decide/define.ts';
import { notYet, yes } from '../../decide/defined/ready.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import { everySingleFault, remove } from '../../testing/index.ts';

const { apiVersion, kind } = greeting;
const ada = { apiVersion, kind, metadata: { namespace: 'shop', name: 'ada' }, ...{ spec: { person: 'Ada' } } };
const words = { apiVersion: 'v1', kind: 'Secret', namespace: 'shop' };

/** A Greeting whose words are secret; `name` is what their Secret is called. */
const secretWith = (name: (owner: string) => string) =>
  defineResource<Greeting>()({
    ...{ apiVersion, kind },
    children: (owner) => ({ words: { apiVersion: 'v1', kind: 'Secret', name: name(owner.name) } }),
    desired: ({ owner }) => ({ words: { data: { text: btoa(owner.spec.person) } } }),
    ready: ({ children }) => (children.words ? yes('Greeted', 'It is said') : notYet('Greeting', 'It will be said')),
    status: ({ state }) => ({ phase: state }),
  });

const find = (resource: ReturnType<typeof secretWith>, name = 'ada-words') => {
  const given: readonly KubeObject[] = [ada];
  const scenarios = [{ name: 'the child is deleted', given, steps: [remove({ ...words, name })] }];
  return everySingleFault({ resources: [resource], crds: [greetingCrd], scenarios });
};

test('a child Secret whose name shows its owner is made again by its own event, whatever goes wrong once', async () => {
  const { failures, plans } = await find(secretWith((name) => `${name}-words`));
  assert.deepEqual(failures, []);
  assert.ok(plans > 20, String(plans));
});

test('the events about Secrets name them alone: one whose name does not show its owner waits for the resync', async () => {
  const { failures } = await find(
    secretWith((name) => `${name.replace('ada', 'she')}-words`),
    'she-words',
  );
  assert.deepEqual(new Set(failures.map(({ oracle }) => oracle)), new Set(['woken-by-events']));
});
