import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { secondsOf, timeOf } from '../../../packages/controller/domain/time.ts';
import { given, message } from '../../../test/build/objects.ts';
import { message as messageWith } from '../message.ts';
import type { Message } from '../types.ts';

const resource = messageWith('busybox:1');
const start = secondsOf('2026-01-01T00:00:00Z');
const resyncSeconds = 300;

/** When a reconcile begins, in seconds, and whether the resync asks for it. */
type Turn = { readonly at: number; readonly byResync: boolean };

/** What the cluster makes of a Pod that was sent to it. */
type Admit = (pod: KubeObject, seconds: number) => KubeObject | undefined;

interface Life {
  owner: Message;
  pod: KubeObject | undefined;
  /** When each Pod was made, in seconds. */
  readonly made: number[];
  statuses: number;
}

/** A Message, asked after once a second, or once in `every` seconds: far more often than any event would. And by the resync. */
function live(admit: Admit, { seconds, every = 1 }: { readonly seconds: number; readonly every?: number }): Life {
  const owner = message('hello', 'hello world', { uid: 'm-1', resourceVersion: '1', generation: 1 }) as Message;
  const life: Life = { owner, pod: undefined, made: [], statuses: 0 };
  for (let at = 0; at < seconds; at += every) {
    // As long as something happens, its events come at once.
    for (let step = 0; step < 6; step += 1)
      reconcile(life, admit, { at, byResync: step === 0 && at % resyncSeconds === 0 });
  }
  return life;
}

function reconcile(life: Life, admit: Admit, { at, byResync }: Turn): void {
  const observed = { owner: life.owner, children: new Map([['pod', life.pod]]), inputs: new Map() };
  const plan = resource.decide(observed, given({ now: timeOf(start + at), ...(byResync && { byResync }) }));
  for (const write of plan.writes) {
    if (write.do === 'create') {
      life.made.push(at);
      life.pod = admit(write.object, at);
    }
    if (write.do === 'delete') life.pod = undefined;
    if (write.do === 'status') {
      life.owner = { ...life.owner, status: write.status };
      life.statuses += 1;
    }
  }
}

const withImage = (image: string) => (pod: KubeObject) => {
  const { spec } = pod as KubeObject & { readonly spec: { readonly containers: readonly object[] } };
  return { ...pod, spec: { ...spec, containers: spec.containers.map((one) => ({ ...one, image })) } } as KubeObject;
};
const ready = (pod: KubeObject): KubeObject =>
  ({ ...pod, status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } }) as KubeObject;
const rejected = (pod: KubeObject): KubeObject =>
  ({ ...pod, status: { phase: 'Failed', reason: 'OutOfcpu', message: 'Node did not have enough cpu' } }) as KubeObject;

const causes: readonly {
  readonly what: string;
  readonly admit: Admit;
  readonly reason: string;
  readonly says: RegExp;
}[] = [
  {
    what: 'a webhook rewrites images',
    admit: withImage('mirror.example.com/busybox:1'),
    reason: 'Overridden',
    says: /spec\.containers\[message\]\.image is "mirror\.example\.com\/busybox:1" instead of "busybox:1", and no field manager is named for it \(an admission webhook\?\)/,
  },
  {
    what: 'the kubelet rejects every Pod',
    admit: rejected,
    reason: 'PodEnded',
    says: /has ended: OutOfcpu: Node did not have enough cpu\. \d+ Pods were made in a row/,
  },
  { what: 'somebody deletes every Pod', admit: () => undefined, reason: 'PodGone', says: /was deleted\. \d+ Pods/ },
];

for (const { what, admit, reason, says } of causes) {
  test(`${what}: six Pods in the first five minutes at most, then one with each resync and one between`, () => {
    const { made, owner, statuses } = live(admit, { seconds: 3600 });
    assert.ok(made.filter((at) => at < 300).length <= 6, made.join(' '));
    assert.ok(made.length <= 6 + 2 * Math.ceil(3300 / 300), made.join(' '));
    assert.ok(made.length >= 12, 'it is tried on and on');
    assert.ok(statuses <= 4 * made.length, `${statuses} statuses for ${made.length} Pods`);
    const [condition] = (owner.status?.conditions ?? []).filter(({ type }) => type === 'Ready');
    assert.equal(owner.status?.phase, 'Failed');
    assert.equal(condition?.reason, reason);
    assert.match(condition?.message ?? '', says);
  });

  test(`${what}, until it no longer does: the next resync makes the Pod that was asked for`, () => {
    for (const [until, every] of [
      [1, 300],
      [299, 300],
      [301, 300],
      [400, 5],
      [1000, 7],
      [3000, 300],
    ] as const) {
      const by = until + resyncSeconds;
      const ends: Admit = (pod, at) => (at < until ? admit(pod, at) : ready(pod));
      // Where it is 300 s the resync alone asks: every other event is lost.
      const { owner, made } = live(ends, { seconds: by + 1, every });
      assert.equal(owner.status?.phase, 'Processed', `gone after ${until} s: ${made.join(' ')}`);
    }
  });
}

test('who has changed the Pod is named by the field manager', () => {
  const resized: Admit = (pod) => ({
    ...withImage('other:1')(pod),
    metadata: {
      ...pod.metadata,
      managedFields: [
        { manager: 'knudge', operation: 'Update', fieldsV1: { 'f:spec': { 'f:containers': {} } } },
        {
          manager: 'vpa-updater',
          operation: 'Update',
          subresource: 'resize',
          fieldsV1: { 'f:spec': { 'f:containers': { 'k:{"name":"message"}': { '.': {}, 'f:image': {} } } } },
        },
        { manager: 'kubelet', operation: 'Update', subresource: 'status', fieldsV1: { 'f:status': { 'f:phase': {} } } },
      ],
    },
  });
  const { owner } = live(resized, { seconds: 30 });
  assert.match(owner.status?.conditions?.[0]?.message ?? '', /, set by vpa-updater \(resize\)\./);
});

test('a Pod that was good for ten minutes is replaced at once, however often it was tried before', () => {
  const goodFrom = 400;
  const { owner, pod, made } = live((one, at) => (at < goodFrom ? rejected(one) : ready(one)), { seconds: 1500 });
  assert.equal(owner.status?.phase, 'Processed');
  assert.ok(pod);
  const observed = (live_: KubeObject | undefined, status: Message['status']) =>
    ({ owner: { ...owner, status } as Message, children: new Map([['pod', live_]]), inputs: new Map() }) as const;
  const now = timeOf(start + 1500);
  const first = resource.decide(observed(rejected(pod), owner.status), given({ now }));
  assert.deepEqual(
    first.writes.map((write) => write.do),
    ['delete', 'status'],
  );
  const told = first.writes.at(-1);
  assert.ok(told?.do === 'status');
  const second = resource.decide(observed(undefined, told.status), given({ now }));
  assert.deepEqual(
    second.writes.map((write) => write.do),
    ['create', 'status'],
  );
  assert.ok(made.length > 6);
  const status = second.writes.at(-1);
  assert.ok(status?.do === 'status');
  assert.equal((status.status as Message['status'])?.attempts, 1);
});

test('another text is tried at once', () => {
  const { owner, pod } = live(rejected, { seconds: 200 });
  const edited = { ...owner, metadata: { ...owner.metadata, generation: 2 }, spec: { text: 'other' } };
  const plan = resource.decide(
    { owner: edited, children: new Map([['pod', pod]]), inputs: new Map() },
    given({ now: timeOf(start + 200) }),
  );
  assert.deepEqual(
    plan.writes.map((write) => write.do),
    ['delete', 'status'],
  );
});

test('a Pod whose making was never told counts all the same: the status lost the race, not the Pod', () => {
  const { owner, pod, made } = live(rejected, { seconds: 20 });
  assert.equal(made.length, 2);
  const stale = { ...owner, status: { ...owner.status, attempts: 1 } } as Message;
  const plan = resource.decide(
    { owner: stale, children: new Map([['pod', pod]]), inputs: new Map() },
    given({ now: timeOf(start + 1) }),
  );
  assert.deepEqual(
    plan.writes.map((write) => write.do),
    ['status'],
  );
});

test('a clock that was put back is not waited for', () => {
  const { owner, pod } = live(rejected, { seconds: 20 });
  const plan = resource.decide(
    { owner, children: new Map([['pod', pod]]), inputs: new Map() },
    given({ now: timeOf(start - 86_400) }),
  );
  assert.deepEqual(
    plan.writes.map((write) => write.do),
    ['delete', 'status'],
  );
});
