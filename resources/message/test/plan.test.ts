import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Refusal } from '../../../packages/controller/domain/plan.ts';
import { messagePodName } from '../../../test/build/message-pod-name.ts';
import { given, message } from '../../../test/build/objects.ts';
import { message as messageWith } from '../message.ts';
import { desiredPod } from '../pod.ts';

const resource = messageWith('busybox:1');

const owner = message('hello', 'hello world', { uid: 'm-1', resourceVersion: '1', generation: 1 });
const first = resource.decide({ owner, children: new Map([['pod', undefined]]), inputs: new Map() }, given());
const [creation] = first.writes;
assert.ok(creation?.do === 'create');
const made: KubeObject = {
  ...creation.object,
  metadata: { ...creation.object.metadata, uid: 'p-1', resourceVersion: '2' },
};
const ready = { ...made, status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } } as KubeObject;

interface Row {
  readonly sentence: string;
  readonly pod: KubeObject | undefined;
  readonly text?: string;
  readonly refusal?: Refusal;
  readonly writes: readonly string[];
  readonly phase: string;
  readonly reason: string;
}

const refusal: Refusal = {
  code: 'quota-exceeded',
  ref: { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'msg-hello' },
  message: 'exceeded quota: pods',
};
const state = { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "busybox:0"' } };
const blocked = {
  ...made,
  status: { phase: 'Pending', containerStatuses: [{ name: 'message', state }] },
} as KubeObject;
const rows: readonly Row[] = [
  {
    sentence: 'a Pod that cannot start is told as its kubelet tells it',
    pod: blocked,
    writes: ['status'],
    phase: 'Pending',
    reason: 'PodBlocked',
  },
  {
    sentence: 'a Message without a Pod gets one',
    pod: undefined,
    writes: ['create', 'status'],
    phase: 'Pending',
    reason: 'PodStarting',
  },
  {
    sentence: 'a Pod that is not ready is waited for',
    pod: made,
    writes: ['status'],
    phase: 'Pending',
    reason: 'PodStarting',
  },
  {
    sentence: 'a Pod that is ready makes the Message processed',
    pod: ready,
    writes: ['status'],
    phase: 'Processed',
    reason: 'PodReady',
  },
  {
    sentence: 'another text replaces the Pod',
    pod: ready,
    text: 'other',
    writes: ['delete', 'status'],
    phase: 'Pending',
    reason: 'PodLeaving',
  },
  {
    sentence: 'a Pod that ended is replaced',
    pod: { ...made, status: { phase: 'Failed' } } as KubeObject,
    writes: ['delete', 'status'],
    phase: 'Pending',
    reason: 'PodLeaving',
  },
  {
    sentence: 'a Pod that is leaving is waited for',
    pod: { ...ready, metadata: { ...ready.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } } as KubeObject,
    writes: ['status'],
    phase: 'Pending',
    reason: 'PodLeaving',
  },
  {
    sentence: 'a Pod of somebody else is never touched',
    pod: { ...ready, metadata: { name: 'msg-hello', namespace: 'shop', uid: 'x', resourceVersion: '1' } } as KubeObject,
    writes: ['status'],
    phase: 'Failed',
    reason: 'NameConflict',
  },
  {
    sentence: 'a refusal becomes a condition and no further write',
    pod: undefined,
    refusal,
    writes: ['status'],
    phase: 'Failed',
    reason: 'QuotaExceeded',
  },
];
for (const row of rows) {
  test(row.sentence, () => {
    const changed = { ...owner, spec: { text: row.text ?? owner.spec.text } };
    const plan = resource.decide(
      { owner: changed, children: new Map([['pod', row.pod]]), inputs: new Map() },
      given(row.refusal === undefined ? {} : { refusal: row.refusal }),
    );
    assert.deepEqual(
      plan.writes.map((write) => write.do),
      row.writes,
    );
    const last = plan.writes.at(-1);
    assert.ok(last?.do === 'status');
    assert.equal((last.status as { phase?: string }).phase, row.phase);
    assert.equal(last.status.conditions[0]?.reason, row.reason);
  });
}

test('a Message that is processed already costs nothing', () => {
  const plan = resource.decide({ owner, children: new Map([['pod', ready]]), inputs: new Map() }, given());
  const [write] = plan.writes;
  assert.ok(write?.do === 'status');
  const told = { ...owner, status: write.status };
  const later = given({ now: '2027-01-01T00:00:00Z' });
  const again = resource.decide({ owner: told, children: new Map([['pod', ready]]), inputs: new Map() }, later);
  assert.deepEqual(again, { writes: [], notices: [], again: false });
});

test('a Message that is being deleted is left to the garbage collector', () => {
  const leaving = { ...owner, metadata: { ...owner.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
  const plan = resource.decide({ owner: leaving, children: new Map([['pod', undefined]]), inputs: new Map() }, given());
  assert.deepEqual(plan.writes, []);
});

/** The kubelet's own reading of a variable's value: `$$` is a dollar, `$(NAME)` the variable where there is one. */
function expand(value: string, variables: Readonly<Record<string, string>>): string {
  return value.replaceAll(/\$\$|\$\(([^)]*)\)/g, (match, name: string | undefined) =>
    match === '$$' ? '$' : (variables[name ?? ''] ?? match),
  );
}

test('any text arrives in the container as it was written', () => {
  const variables = { HOME: '/root', A: 'secret' };
  const hostile = fc.constantFrom(
    '$(HOME)',
    '$$(A)',
    '$',
    '$$$(A)',
    '`id`',
    '"; rm -rf /; "',
    "'",
    '%s%n',
    '\\n',
    '🙂',
    '\u2028',
  );
  const text = fc.array(fc.oneof(hostile, fc.string({ unit: 'binary' }))).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, (said) => {
      const [container] = desiredPod(said, 'busybox').spec.containers;
      assert.ok(container);
      assert.equal(expand(container.env[0]?.value ?? '', variables), said);
      assert.ok(
        container.command.every((word) => said === '' || said.length < 3 || !word.includes(said) || word === 'sh'),
      );
    }),
  );
});

test('a name that is too long for a label keeps its beginning and gets a hash', () => {
  assert.equal(messagePodName('hello'), 'msg-hello');
  const [one, two] = [messagePodName('a'.repeat(250)), messagePodName('a'.repeat(249))];
  assert.match(one, /^msg-a+-[0-9a-z]+$/);
  assert.ok(one.length <= 63 && one !== two);
});
