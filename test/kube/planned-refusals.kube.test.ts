import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { plannedWrites } from '../../packages/event-log/replay/planned-changes.ts';
import { message as build } from '../build/objects.ts';
import { type Arena, openArena } from './arena.ts';
import { planOf } from './planned.ts';
import { until } from './until.ts';

let arena: Arena;
let namespace: string;

before(async () => {
  arena = await openArena({ withSource: false, stems: ['message-changed'] });
  namespace = await arena.namespace('refused');
});
after(() => arena.close());

test('a plan says which write the API server refuses, and why', async () => {
  const name = `no-pods-${namespace}`;
  const policy = {
    failurePolicy: 'Fail',
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
    },
    validations: [{ expression: "object.metadata.name != 'msg-refused'", message: 'no Pod of this name is wanted' }],
  };
  const selector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
  const binding = { policyName: name, validationActions: ['Deny'], matchResources: { namespaceSelector: selector } };
  const admission = 'admissionregistration.k8s.io/v1';
  const made = [
    { apiVersion: admission, kind: 'ValidatingAdmissionPolicy', metadata: { name }, spec: policy },
    { apiVersion: admission, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name }, spec: binding },
  ] as unknown as readonly KubeObject[];
  for (const one of made) await arena.put(one);
  const refused = build('refused', 'hello', { namespace });
  await arena.put(refused);
  try {
    // A policy is in force a moment after it was made.
    await until('the plan names the refusal', async () => {
      const writes = plannedWrites(await planOf(arena, 'message-changed', refused));
      const pod = writes.find(({ kind }) => kind === 'Pod');
      return /^dry-run of Pod .*\/msg-refused: .*no Pod of this name is wanted/.test(pod?.refusal ?? '') || { writes };
    });
    assert.equal(await arena.get('v1', 'Pod', { namespace, name: 'msg-refused' }), undefined);
  } finally {
    for (const one of made) await arena.remove(one);
    await arena.remove(refused);
  }
});

test('a plan names the admission webhook that does not answer', async () => {
  const name = `side-effects-${namespace}`;
  const hook = {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: 'side-effects.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'NoneOnDryRun',
        failurePolicy: 'Fail',
        timeoutSeconds: 1,
        clientConfig: { url: 'https://127.0.0.1:9/' },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
    ],
  } as unknown as KubeObject;
  await arena.put(hook);
  const one = build('hooked', 'hello', { namespace });
  await arena.put(one);
  try {
    await until('the plan names the webhook', async () => {
      const writes = plannedWrites(await planOf(arena, 'message-changed', one));
      return /side-effects\.example\.com/.test(writes.find(({ kind }) => kind === 'Pod')?.refusal ?? '') || { writes };
    });
  } finally {
    await arena.remove(hook);
    await arena.remove(one);
  }
});
