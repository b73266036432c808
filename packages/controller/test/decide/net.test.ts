import assert from 'node:assert/strict';
import { describe as suite, test } from 'node:test';
import { born, type Life, live, looping, type Want } from '../../../../test/build/looping.ts';
import { object } from '../../../../test/build/objects.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import type { Observed, Write } from '../../domain/plan.ts';

const config = (text: string): KubeObject =>
  object('ConfigMap', 'child', {
    metadata: { annotations: { 'knudge.dev/spec-hash': `hash of ${text}` } },
    data: { text },
  });
const written = (text: string, live_: KubeObject | undefined): Write =>
  live_ === undefined ? { do: 'create', object: config(text) } : { do: 'apply', object: config(text), live: live_ };
const precondition = { uid: 'c', resourceVersion: '1' };
const childOf = ({ children }: Observed): KubeObject | undefined => children.get('child');
const ref = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'app' };

/** Five loops, each of another sort. */
const loops: Readonly<Record<string, { readonly want: Want; readonly says: RegExp }>> = {
  'a child whose content is another each time': {
    want: (observed, round) => ({ write: written(`text ${round}`, childOf(observed)), said: 'same' }),
    says: /^ConfigMap shop\/child was written 12 times .*: data\.text is "text \d+" instead of "text \d+"/,
  },
  'a child that goes back and forth between two': {
    want: (observed, round) => ({ write: written(`text ${round % 2}`, childOf(observed)), said: 'same' }),
    says: /data\.text is "text [01]" instead of "text [01]"/,
  },
  'a child that somebody else takes back each time': {
    want: () => ({ write: { do: 'apply', object: config('ours'), live: theirs }, said: 'same' }),
    says: /data\.text is "theirs" instead of "ours", set by other-controller/,
  },
  'a child that is made and deleted in turn': {
    want: (observed) => {
      const child = childOf(observed);
      const refOfChild = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop', name: 'child' };
      return {
        write:
          child === undefined
            ? written('text', child)
            : { do: 'delete', ref: refOfChild, precondition, propagation: 'Background' },
        said: 'same',
      };
    },
    says: /it is made and goes in turn/,
  },
  'a workload that two scale': {
    want: () => ({ write: { do: 'scale', ref, precondition, replicas: 2 }, said: 'same' }),
    says: /^Deployment shop\/app was written 12 times .*: its replicas, which should be 2/,
  },
};

const theirs: KubeObject = {
  ...config('ours'),
  data: { text: 'theirs' },
  metadata: {
    ...config('ours').metadata,
    managedFields: [{ manager: 'other-controller', operation: 'Update', fieldsV1: { 'f:data': { 'f:text': {} } } }],
  },
} as KubeObject;

const flappingOf = ({ owner }: Life): string | undefined =>
  owner.status?.conditions?.find(({ reason }) => reason === 'Flapping')?.message;
const inMinute = (times: readonly number[]): number =>
  Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + 60).length));

for (const [what, { want, says }] of Object.entries(loops)) {
  suite(`a loop: ${what}`, () => {
    test('is stopped after twelve writes in a minute, told, and tried again slowly', () => {
      const life = live(looping(want), { seconds: 3600 });
      assert.ok(inMinute(life.written) <= 12, life.written.join(' '));
      assert.match(flappingOf(live(looping(want), { seconds: 30 })) ?? '', says);
      const later = life.written.filter((at) => at >= 600);
      assert.ok(later.length >= 10 && later.length <= 25, later.join(' '));
      assert.ok(life.alone.length <= 2 * life.written.length, `${life.alone.length} statuses alone`);
    });

    test('writes nothing while it waits', () => {
      const life = live(looping(want), { seconds: 30 });
      const [before, alone] = [life.written.length, life.alone.length];
      live(looping(want), { seconds: 20, from: 30, life });
      assert.deepEqual([life.written.length, life.alone.length], [before, alone]);
    });

    test('that has ended is written once more by the next resync, and no longer told', () => {
      const life = live(looping(want), { seconds: 290 });
      assert.ok(flappingOf(life));
      const ended = looping((observed) => ({
        write: childOf(observed) === undefined ? written('end', undefined) : undefined,
        said: 'same',
      }));
      live(ended, { seconds: 12, from: 290, life });
      assert.equal(flappingOf(life), undefined);
    });
  });
}

suite('a status', () => {
  const flips: Want = (_, round) => ({ said: `round ${round % 2}` });

  test('that goes back and forth is stopped too, and told once', () => {
    const life = live(looping(flips), { seconds: 55 });
    assert.ok(life.alone.length <= 13, life.alone.join(' '));
    assert.match(
      flappingOf(life) ?? '',
      /\(its status\) was written 12 times .*: status\.said is "round [01]" instead of "round [01]"/,
    );
  });

  test('that says what the cluster does is no loop', () => {
    const pods = (at: number) => [object('Pod', 'one', { metadata: { uid: 'p', resourceVersion: `${at}` } })];
    const life = live(looping(flips), { seconds: 100, inputsAt: pods });
    assert.equal(life.alone.length, 100);
    assert.equal(flappingOf(life), undefined);
  });
});

suite('what is no loop', () => {
  const changing: Want = (observed, round) => ({ write: written(`text ${round}`, childOf(observed)), said: 'same' });

  test('is written as often as its inputs change', () => {
    const inputsAt = (at: number) => [object('Pod', 'one', { metadata: { uid: 'p', resourceVersion: `${at}` } })];
    const life = live(looping(changing), { seconds: 200, inputsAt });
    assert.equal(life.written.length, 200);
    assert.equal(flappingOf(life), undefined);
  });

  test('is written as often as the Pods behind a Service of ours change', () => {
    const labels = { 'app.kubernetes.io/managed-by': 'knudge' };
    const inputsAt = (at: number) => [
      object('discovery.k8s.io/v1 EndpointSlice', 'one', { metadata: { uid: 's', resourceVersion: `${at}`, labels } }),
    ];
    const life = live(looping(changing), { seconds: 200, inputsAt });
    assert.equal(life.written.length, 200);
  });

  test('is written as often as somebody edits the spec', () => {
    const life = live(looping(changing), { seconds: 200, generationAt: (at) => at + 1 });
    assert.equal(life.written.length, 200);
  });

  test('is written twelve times a minute at most, on and on', () => {
    const life = live(looping(changing), { seconds: 3600, every: 6 });
    assert.equal(life.written.length, 600);
    assert.equal(flappingOf(life), undefined);
  });
});

test('an input that is our own work is no reason: a loop through it is a loop', () => {
  const ours = (at: number) => [
    object('Service', 'rival', {
      metadata: { uid: 's', resourceVersion: `${at}`, labels: { 'app.kubernetes.io/managed-by': 'knudge' } },
    }),
    object('frp.io/v1beta1 DistributedService', 'rival', {
      metadata: { uid: 'd', resourceVersion: `${at}`, generation: 1 },
    }),
  ];
  const changing: Want = (observed, round) => ({ write: written(`text ${round}`, childOf(observed)), said: 'same' });
  const life = live(looping(changing), { seconds: 60, inputsAt: ours });
  assert.ok(life.written.length <= 12, life.written.join(' '));
});

test('the status of a custom resource that another controller writes is a reason', () => {
  const inputsAt = (at: number) => [
    object('example.org/v1 Other', 'other', { metadata: { uid: 'o', resourceVersion: `${at}`, generation: 1 } }),
  ];
  const changing: Want = (observed, round) => ({ write: written(`text ${round}`, childOf(observed)), said: 'same' });
  const life = live(looping(changing), { seconds: 60, inputsAt });
  assert.equal(life.written.length, 60);
});

test('the Pods that come of a scaled workload are no reason to scale it again', () => {
  const inputsAt = (at: number) => [object('Pod', 'one', { metadata: { uid: 'p', resourceVersion: `${at}` } })];
  const scaling: Want = () => ({ write: { do: 'scale', ref, precondition, replicas: 2 }, said: 'same' });
  const life = live(looping(scaling), { seconds: 60, inputsAt });
  assert.ok(life.written.length <= 12, life.written.join(' '));
});

test('counts in a status that make no sense count nothing', () => {
  const changing: Want = (observed, round) => ({ write: written(`text ${round}`, childOf(observed)), said: 'same' });
  for (const recentWrites of [
    'x',
    7,
    [null, 1, 'a', {}],
    [{ object: 'ConfigMap child', count: 'many', since: 'now', inputs: 1 }],
    [{ object: 'ConfigMap child', count: 99, since: '2999-01-01T00:00:00Z', inputs: '' }],
  ]) {
    const life = born();
    life.owner = { ...life.owner, status: { recentWrites } };
    live(looping(changing), { seconds: 3, life });
    assert.equal(life.written.length, 3, JSON.stringify(recentWrites));
  }
});
