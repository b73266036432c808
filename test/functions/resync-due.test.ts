import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resyncDue } from '../../functions/resync-due.ts';
import { decode } from '../../src/wire/decode.ts';
import { recorded } from '../build/event.ts';
import { arrange, namesIn, range } from '../resync/arrange.ts';

const tick = decode(recorded('resync-due/pingsource-through-broker'));
const continuation = decode(recorded('resync-due/continuation-through-broker'));

test('a tick asks after every parent, and the answer says how many', async () => {
  const { parts, sent } = arrange({ DistributedService: range(2), Message: range(3) });
  const outcome = await resyncDue(tick, parts);
  assert.deepEqual(outcome, { result: 'done', reads: 2, writes: 0, events: { sent: 5, failed: 0 } });
  assert.equal(sent.length, 5);
  assert.ok(sent.every(({ id }) => id.startsWith(`${tick.id}/`)));
});

test('what does not fit into its time is answered as a continuation, which does the rest', async () => {
  const { parts, sent } = arrange({ DistributedService: [], Message: range(60) }, { sendMs: 1000, workSeconds: 10 });
  const { reply } = await resyncDue(tick, parts);
  assert.equal(reply?.type, 'dev.knudge.resync.due');
  const again = { ...tick, type: reply.type, id: reply.id, data: reply.data };
  const { reply: second } = await resyncDue(again, parts);
  assert.equal(second?.id, `${tick.id}/step/2`);
  const { reply: third } = await resyncDue({ ...again, data: second.data }, parts);
  assert.equal(third, undefined);
  assert.deepEqual(namesIn(sent, 'Message').sort(), range(60));
});

test('a continuation begins at its place', async () => {
  const { parts, sent } = arrange({ DistributedService: ['web'], Message: ['hello', 'world'] });
  await resyncDue(continuation, parts);
  assert.deepEqual(
    sent.map(({ extensions }) => extensions['name']),
    ['world'],
  );
});
