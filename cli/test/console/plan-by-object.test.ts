import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { PlanByObject } from '../../console/plan-by-object.ts';
import type { Asked } from '../../replay/ask-all.ts';

const ref = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' };
const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'msg-hello', namespace: 'shop' } };

/** A function that would make a Pod with these texts, or set the status of the Message to a phase, or fail. */
function asked(name: string, { text, phase }: { readonly text?: string; readonly phase?: string }): Asked {
  const writes = [
    ...(text === undefined ? [] : [{ do: 'create' as const, object: { ...pod, spec: { text } } }]),
    ...(phase === undefined ? [] : [{ do: 'status' as const, status: { phase } }]),
  ];
  const changes = writes.map((write) => (write.do === 'status' ? { before: {}, after: { status: { phase } } } : {}));
  const plan = { writes, notices: [], again: false };
  return { function: name, planned: { kind: 'planned', plans: [{ ref, plan, changes } as never] } };
}

const refused = (name: string, why: string): Asked => ({ function: name, planned: { kind: 'failed', why } });

suite('a plan by object', () => {
  test('has each object once, with the last plan of each kind of write, and how many events lead to it', () => {
    const plan = new PlanByObject();
    plan.add(3, [asked('message-changed', { text: 'first', phase: 'Pending' }), asked('other', { text: 'first' })]);
    plan.add(7, [asked('message-changed', { text: 'last' })]);
    plan.add(9, [asked('message-changed', {})]);
    const message = { kind: 'Message', namespace: 'shop', name: 'hello' };
    assert.deepEqual(plan.answer(), {
      objects: [
        {
          kind: 'Pod',
          namespace: 'shop',
          name: 'msg-hello',
          events: 2,
          last: 7,
          functions: ['message-changed', 'other'],
          writes: [{ do: 'create', changes: [{ field: '', after: { ...pod, spec: { text: 'last' } } }] }],
        },
        {
          ...message,
          events: 1,
          last: 3,
          functions: ['message-changed'],
          writes: [{ do: 'status', changes: [{ field: '/status', after: { phase: 'Pending' } }] }],
        },
      ],
      failed: [],
      answers: 4,
    });
  });

  test('has room for the last object where a hundred events before it are about one other', () => {
    const plan = new PlanByObject();
    for (let event = 1; event <= 100; event += 1) plan.add(event, [asked('f', { text: 'x'.repeat(60_000) })]);
    plan.add(101, [asked('f', { phase: 'Ready' })]);
    const answer = plan.answer() as { readonly objects: readonly { readonly writes: readonly unknown[] }[] };
    assert.deepEqual(answer.objects.at(-1)?.writes, [
      { do: 'status', changes: [{ field: '/status', after: { phase: 'Ready' } }] },
    ]);
    assert.ok(JSON.stringify(answer).length < 10_000);
  });

  test('has each reason of a function once', () => {
    const plan = new PlanByObject();
    for (const event of [1, 2]) plan.add(event, [refused('f', 'it answered 503'), refused('g', 'it answered 503')]);
    plan.add(3, [refused('f', 'it answered 500')]);
    assert.deepEqual(plan.answer(), {
      objects: [],
      answers: 5,
      failed: [
        { function: 'f', failed: 'it answered 503', events: 2, last: 2 },
        { function: 'g', failed: 'it answered 503', events: 2, last: 2 },
        { function: 'f', failed: 'it answered 500', events: 1, last: 3 },
      ],
    });
  });
});
