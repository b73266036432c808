import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looked, resyncDue } from '../../functions/resync-due.ts';
import type { Outgoing, Received } from '../../packages/controller/domain/change.ts';
import { arrange, namesIn, range } from '../../packages/controller/test/resync/arrange.ts';
import { decode } from '../../packages/controller/wire/decode.ts';
import { parentKinds } from '../../resources/managed/kinds.ts';
import { recorded } from '../build/event.ts';

const tick = decode(recorded('resync-due/pingsource-through-broker'));
const continuation = decode(recorded('resync-due/continuation-through-broker'));

/** Hands each answer in again, as the Broker does; gives the last event that was asked. */
async function lastOf(
  { parts }: Pick<ReturnType<typeof arrange>, 'parts'>,
  see: (reply: Outgoing) => void,
): Promise<Received> {
  let asked: Received = tick;
  for (let steps = 0; steps < 9; steps += 1) {
    const { reply } = await resyncDue(asked, parts);
    if (reply === undefined) return asked;
    see(reply);
    asked = { ...tick, type: reply.type, id: reply.id, data: reply.data };
  }
  throw new Error('the round does not end');
}

/** A list of each kind: of parents, and of what orphans are looked for by. */
const lists = parentKinds.length + looked.length;

test('a tick asks after every parent, and the answer says how many', async () => {
  const { parts, sent } = arrange({ DistributedService: range(2), Message: range(3) });
  const outcome = await resyncDue(tick, parts);
  assert.deepEqual(outcome, { result: 'done', reads: lists + 2, writes: 2, events: { sent: 5, failed: 0 } });
  assert.equal(sent.length, 5);
  assert.ok(sent.every(({ id }) => id.startsWith(`${tick.id}/`)));
});

test('when all have been asked after it is kept since when, and nobody minds where that cannot be', async () => {
  const world = arrange({ DistributedService: [], Message: range(60) }, { sendMs: 1000, workSeconds: 10 });
  const last = await lastOf(world, () => assert.deepEqual(world.kept, [], 'the round is not through'));
  assert.deepEqual(world.kept, ['1970-01-01T00:00:00Z'], 'when the first began');
  assert.deepEqual(last.type, 'dev.knudge.resync.due');
  const end = () => Promise.reject(new Error('away'));
  const rounds = { ...world.parts.rounds, end };
  assert.equal((await resyncDue({ ...tick, id: 'next' }, { ...world.parts, workSeconds: 99, rounds })).result, 'done');
  assert.deepEqual(world.warnings, ['resync: when it was could not be kept']);
});

test('what does not fit into its time is answered as a continuation, which does the rest', async () => {
  const { parts, sent } = arrange({ DistributedService: [], Message: range(60) }, { sendMs: 1000, workSeconds: 10 });
  const ids: string[] = [];
  await lastOf({ parts }, ({ id, type }) => {
    assert.equal(type, 'dev.knudge.resync.due');
    ids.push(id);
  });
  assert.ok(ids.length >= 2 && ids.length <= 4, ids.join());
  assert.equal(ids[1], `${tick.id}/step/2`);
  assert.deepEqual(namesIn(sent, 'Message').sort(), range(60));
});

test('a continuation begins at its place', async () => {
  const { parts, sent, lease } = arrange({ DistributedService: [], Message: ['hello', 'world'] });
  const { round: id } = continuation.data as { readonly round: string };
  lease.marks = { round: { id, key: 'k', before: '', began: 0, seen: 0, step: 0, tries: 1 } };
  await resyncDue({ ...continuation, data: { ...Object(continuation.data), key: 'k' } }, parts);
  assert.deepEqual(
    sent.map(({ extensions }) => extensions['name']),
    ['world'],
  );
});
