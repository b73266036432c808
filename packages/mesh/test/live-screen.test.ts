import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hop } from '../hop.ts';
import { createLiveScreen, type LiveScreenParts } from '../live-screen.ts';
import { coloured, plain } from '../screen.ts';
import { widthOf } from '../wrap.ts';

const attributes = {
  specversion: '1.0',
  id: '1',
  source: 's',
  type: 'dev.knudge.resync.requested',
  kind: 'DistributedService',
  namespace: 'default',
  name: 'payroll',
};
const event = { attributes, data: Buffer.alloc(0) };
const parents = 'DistributedService default/payroll';
const delivered = (writes: number, more: Partial<Extract<Hop, { kind: 'delivered' }>> = {}): Hop => ({
  kind: 'delivered',
  trigger: 'knudge/distributed-service-changed',
  event,
  attempt: 1,
  status: 204,
  ms: 1,
  headers: { 'knudge-outcome': `done; reads=2; writes=${writes}`, 'knudge-parents': parents },
  ...more,
});
const ofLog = (status: number): Hop => delivered(0, { trigger: 'knudge/event-log', status, headers: {}, why: 'late' });

/** A screen at five past nine, the lines on it, and what it does a second later. */
function open(more: Partial<LiveScreenParts> = {}) {
  const lines: string[] = [];
  let waiting: (() => void) | undefined;
  const show = createLiveScreen({
    print: (text) => lines.push(...text.split('\n')),
    style: plain,
    all: false,
    columns: () => undefined,
    now: () => new Date(2026, 10, 27, 9, 5, 7),
    later: (_ms, call) => {
      waiting = call;
      return () => {
        waiting = undefined;
      };
    },
    ...more,
  });
  return { lines, show, wait: () => waiting?.() };
}

const long = 'DistributedService payroll (dev.knudge.resync.requested) → distributed-service-changed';

test('each line begins with the time of day', () => {
  const { lines, show } = open();
  show(delivered(2));
  assert.deepEqual(lines, [`09:05:07 ${long} → DistributedService default/payroll: 2 writes`]);
});

test('events without a change are counted behind the next that changes something', () => {
  const { lines, show, wait } = open();
  for (const writes of [0, 0, 0, 1, 0]) show(delivered(writes));
  assert.deepEqual(lines, [`09:05:07 ${long} → DistributedService default/payroll: 1 write (+3 without a change)`]);
  wait();
  assert.equal(lines[1], '09:05:07 (+1 without a change)', 'and after a second without one by themselves');
  wait();
  show({ kind: 'slept', function: 'f', pids: [] });
  assert.equal(lines[2], '09:05:07 f sleeps');
});

test('a line of another sort takes no count along', () => {
  const { lines, show } = open();
  show(delivered(0));
  show({ kind: 'slept', function: 'f', pids: [] });
  assert.deepEqual(lines, ['09:05:07 f sleeps']);
});

test('with all of them an event without a change has its line, and it is dim', () => {
  const { lines, show } = open({ all: true, style: coloured });
  show(delivered(0));
  const text = `${long} → DistributedService default/payroll: nothing to do`;
  assert.deepEqual(lines, [`\u001b[2m09:05:07\u001b[0m \u001b[2m${text}\u001b[0m`]);
});

test('a parent that is gone is news', () => {
  const { lines, show } = open();
  const headers = { 'knudge-outcome': 'gone; reads=1; writes=0', 'knudge-parents': parents };
  show(delivered(0, { headers }));
  assert.match(lines[0] ?? '', /is gone$/);
});

for (const columns of [80, 60, 20]) {
  test(`no line is wider than ${columns} columns, and what does not fit is indented`, () => {
    const { lines, show } = open({ columns: () => columns, style: coloured });
    show(delivered(12));
    assert.ok(lines.length > 1);
    const longest = Math.max(columns, ' '.repeat(9).length + 'distributed-service-changed'.length);
    for (const line of lines) assert.ok(widthOf(line) <= longest, line);
    for (const line of lines.slice(1)) assert.match(line, /^ {9}\S/);
    assert.match(lines.join(' '), /\(resync\.requested\)/);
  });
}

test('a line that fits only without what it says twice is one line', () => {
  const { lines, show } = open({ columns: () => 79 });
  const about = { ...event, attributes: { ...attributes, kind: 'Message', name: 'hello', type: 'x.add' } };
  const headers = { 'knudge-outcome': 'done; reads=2; writes=2', 'knudge-parents': 'Message default/hello' };
  show(
    delivered(2, { event: about, trigger: 'knudge/message-changed', headers: { ...headers, 'knudge-cold-ms': '99' } }),
  );
  assert.deepEqual(lines, [
    '09:05:07 Message hello added → message-changed (cold 99 ms) → default/hello: 2',
    '         writes',
  ]);
  show(delivered(2, { event: about, trigger: 'knudge/message-changed', headers }));
  assert.equal(lines[2], '09:05:07 Message hello added → message-changed → default/hello: 2 writes');
});

test('an event log that gives no answer is one line, and one more when it answers', () => {
  const { lines, show } = open();
  for (let count = 0; count < 5; count += 1) show(ofLog(0));
  const dropped: Hop = { kind: 'dropped', trigger: 'knudge/event-log', event, why: 'late' };
  show(dropped);
  show(dropped);
  show(ofLog(202));
  show(ofLog(204));
  show(ofLog(204));
  assert.deepEqual(lines, [
    '09:05:07 event-log gives no answer (late): its events are sent again, and no function waits for it',
    '09:05:07 event-log answers again; it has not got 2 events',
  ]);
});
