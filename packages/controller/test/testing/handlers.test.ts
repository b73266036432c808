import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greeting } from '../../../../test/build/greeting.ts';
import { greetingCrd } from '../../../../test/build/greeting-crd.ts';
import type { Resource } from '../../decide/resource.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import { apply, type ChangeHandler, change, everySingleFault, type FaultScenario } from '../../testing/index.ts';

const words = { apiVersion: 'v1', kind: 'Secret', namespace: 'shop', name: 'words' };
const ada = { apiVersion: 'example.org/v1', kind: 'Greeting', namespace: 'shop', name: 'ada' };

/** A Greeting whose person stands in a Secret. */
const reading: Resource = {
  ...greeting,
  inputs: () => [{ name: 'words', query: { what: 'object', ref: words } }],
  cost: () => ({ reads: 1, writes: 0 }),
  decide: (observed, given) => {
    const [secret] = observed.inputs.get('words') ?? [];
    const spec = { person: String(Reflect.get(Reflect.get(secret ?? {}, 'data') ?? {}, 'person')) };
    return greeting.decide({ ...observed, owner: { ...observed.owner, ...{ spec } } }, given);
  },
};

const wakes: ChangeHandler = {
  kind: '/Secret',
  handle: async ({ ref }, { reconcile }) => (ref.name === words.name ? [await reconcile(ada)] : []),
};

const secretOf = (person: string): KubeObject => {
  const { namespace, name, apiVersion, kind } = words;
  return { apiVersion, kind, metadata: { namespace, name }, ...{ data: { person: btoa(person) } } };
};

const textOf = (object: KubeObject | undefined): unknown =>
  Reflect.get(Reflect.get(object ?? {}, 'data') ?? {}, 'text');

const scenario: FaultScenario = {
  name: 'the Secret changes',
  given: [
    secretOf('Ada'),
    {
      ...{ apiVersion: ada.apiVersion, kind: ada.kind },
      metadata: { namespace: 'shop', name: 'ada' },
      ...{ spec: {} },
    },
  ],
  steps: [change(words, { data: { person: btoa('Bob') } })],
  expect: ({ get, list }) => {
    assert.equal(textOf(get({ ...words, kind: 'ConfigMap', name: 'ada-hello' })), `Hello, ${btoa('Bob')}`);
    assert.equal(list({ apiVersion: 'v1', kind: 'Secret', namespace: 'shop' }).length, 1);
    assert.equal(list({ apiVersion: 'v1', kind: 'Secret' }).length, 1);
    assert.equal(list({ apiVersion: 'v1', kind: 'Secret', namespace: 'default' }).length, 0);
  },
};

const suite = { resources: [reading], crds: [greetingCrd], scenarios: [scenario] };

test('what is read besides the children wakes by a handler of its own', async () => {
  const { failures, plans } = await everySingleFault({ ...suite, handlers: [wakes] });
  assert.deepEqual(failures, []);
  assert.ok(plans > 50, String(plans));
});

test('without that handler the resync alone finds it', async () => {
  const { failures } = await everySingleFault(suite);
  assert.ok(
    failures.length > 0 && failures.every(({ oracle, fault }) => oracle === 'woken-by-events' && fault === 'nothing'),
  );
});

test('what the scenario expects otherwise is a failure in its words', async () => {
  const scenarios = [{ ...scenario, expect: () => assert.fail('not so') }];
  const { failures } = await everySingleFault({ ...suite, handlers: [wakes], scenarios });
  assert.deepEqual(failures, [
    { scenario: scenario.name, fault: 'nothing', at: 'any call', oracle: 'as-expected', what: 'not so' },
  ]);
});

const refused = { ...secretOf('Ada'), metadata: { name: 'NO', namespace: 'shop' } };

for (const scenarios of [
  [{ name: 'refused', steps: [apply(refused)] }],
  [{ name: 'refused', given: [refused], steps: [] }],
]) {
  test('what the API server refuses to the person of a scenario is a failure', async () => {
    const { failures } = await everySingleFault({ ...suite, scenarios });
    assert.deepEqual(
      failures.map(({ oracle }) => oracle),
      ['steps-are-taken'],
    );
    assert.match(failures[0]?.what ?? '', /^POST .*secrets by the user: 422/);
  });
}

test('a suite without a scenario, or with one that makes no call, is refused', async () => {
  await assert.rejects(everySingleFault({ ...suite, scenarios: [] }), /there are no scenarios/);
  const idle = [{ name: 'idle', steps: [apply(secretOf('Ada'))] }];
  await assert.rejects(everySingleFault({ ...suite, scenarios: idle }), /the scenario idle makes no API call/);
});

test('what is no definition is refused', async () => {
  const crds = [secretOf('Ada')];
  await assert.rejects(everySingleFault({ ...suite, crds }), /Secret words is not a CustomResourceDefinition/);
});
