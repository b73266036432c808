import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parse } from 'yaml';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { apply, change, everySingleFault, remove } from '../../../packages/controller/testing/index.ts';
import { message } from '../message.ts';

const definition = parse(readFileSync('crds/messages.yaml', 'utf8')) as KubeObject;
const hello = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' };

function saying(text: string): KubeObject {
  const { apiVersion, kind, namespace, name } = hello;
  return { apiVersion, kind, metadata: { namespace, name }, ...{ spec: { text } } };
}

test('a Message comes to the same whatever goes wrong once', async () => {
  const { plans, failures } = await everySingleFault({
    resources: [message('example.com/printer:1')],
    crds: [definition],
    scenarios: [
      { name: 'create', steps: [apply(saying('Hello'))] },
      { name: 'change', given: [saying('Hello')], steps: [change(hello, { spec: { text: 'Goodbye' } })] },
      { name: 'delete', given: [saying('Hello')], steps: [remove(hello)] },
    ],
  });
  assert.deepEqual(failures, []);
  assert.ok(plans > 200, String(plans));
});
