import assert from 'node:assert/strict';
import { test } from 'node:test';
import { root } from '../../../test/house/files.ts';
import type { Controller } from '../../controller/functions/define-controller.ts';
import { factsOf } from '../manifests/facts.ts';
import { folderAt, projectIn } from '../project.ts';

const project = projectIn(folderAt(root));
const { functions, services } = project.controller;

const without = (...stems: readonly string[]) =>
  Object.fromEntries(Object.entries(functions).filter(([stem]) => !stems.includes(stem)));

const rows: readonly (readonly [sentence: string, changed: Partial<Controller>, message: RegExp])[] = [
  [
    'a kind of children that wakes no function',
    { functions: without('config-map-changed') },
    /^Error: no function of functions\/table\.ts is woken by a ConfigMap, a child of DistributedService: add one with the kind '\/ConfigMap'$/,
  ],
  [
    'a resource that wakes no function',
    { functions: without('message-changed') },
    /^Error: no function of functions\/table\.ts is woken by a Message: add it$/,
  ],
  [
    'what is deployed as no Service',
    { deployed: { ghost: {} } },
    /^Error: `deployed` of the controller has ghost, which is not a Service: remove it$/,
  ],
  [
    'rights of no account',
    { rights: { ghost: { rules: [] } } },
    /^Error: `rights` of the controller have ghost, which is not an account: remove it$/,
  ],
];

for (const [sentence, changed, message] of rows) {
  test(`a controller is refused for ${sentence}`, () => {
    assert.throws(() => factsOf({ ...project, controller: { ...project.controller, ...changed } }), message);
  });
}

test('a Service can be cut if changes wake each of its functions, whatever it is called', () => {
  const { shared, apart } = factsOf(project);
  assert.deepEqual(shared, ['distributed-service']);
  assert.deepEqual(apart, [...(services['distributed-service'] ?? [])].sort());
});
