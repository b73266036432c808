import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { apply, change, everySingleFault, remove } from '@knudge/controller/testing';
import { parse } from 'yaml';
import { greeting } from '../resources/greeting/greeting.ts';

const crd = parse(readFileSync(`${import.meta.dirname}/../crds/greetings.yaml`, 'utf8'));
const ada = { apiVersion: 'demo.example.org/v1', kind: 'Greeting', namespace: 'shop', name: 'ada' };
const child = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'greeting-ada' };
const greetingWith = (text: string) => ({
  apiVersion: ada.apiVersion,
  kind: ada.kind,
  metadata: { name: ada.name, namespace: ada.namespace },
  spec: { text },
});

test('a Greeting is what it should be, whatever single fault comes between', async () => {
  const { failures } = await everySingleFault({
    resources: [greeting],
    crds: [crd],
    scenarios: [
      {
        name: 'create',
        steps: [apply(greetingWith('hello'))],
        expect: ({ get }) => assert.partialDeepStrictEqual(get(child), { data: { text: 'hello' } }),
      },
      { name: 'change', given: [greetingWith('hello')], steps: [change(ada, { spec: { text: 'good evening' } })] },
      { name: 'child deleted', given: [greetingWith('hello')], steps: [remove(child)] },
      {
        name: 'delete',
        given: [greetingWith('hello')],
        steps: [remove(ada)],
        expect: ({ get }) => assert.equal(get(child), undefined),
      },
    ],
  });
  assert.deepEqual(failures, []);
});
