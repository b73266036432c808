import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plain } from '../../../packages/mesh/screen.ts';
import { type Status, statusText } from '../../status/text.ts';

const last = {
  time: '2026-11-27T12:00:00Z',
  type: 'dev.knative.apiserver.resource.update',
  status: 204,
  kind: 'Message',
  namespace: 'default',
  name: 'hello',
  outcome: 'done; reads=2; writes=1',
};
const status: Status = {
  title: 'the mesh in /m',
  now: '2026-11-27T12:01:00Z',
  functions: [
    { name: 'message-changed', process: 'message-changed', awake: 1, coldMs: 214, memoryBytes: 61_440_000, last },
    { name: 'pod-changed', process: 'distributed-service', awake: 0 },
    { name: 'resync-due', process: 'resync-due', awake: 0, crashing: 'ended with exit code 1' },
  ],
  lastResync: '2026-11-27T11:59:00.000000Z',
  log: { openDeadLetters: 1, newest: '2026-11-27T11:59:55Z' },
};
const lines = (more: Partial<Status> = {}): readonly string[] => statusText({ ...status, ...more }, plain).split('\n');

test('one screen says what is awake, what came last, and what is open', () => {
  assert.deepEqual(lines(), [
    'the mesh in /m',
    '  FUNCTION         LAST      EVENT                         OUTCOME',
    'distributed-service: asleep',
    '  pod-changed      -         -                             -',
    'message-changed: awake (1), 61 MB, cold 214 ms',
    '  message-changed  60 s ago  update Message default/hello  done, 1 write',
    'resync-due: crashing',
    '  resync-due       -         -                             -',
    '',
    'event log: newest event 65 s ago, 5 s behind the functions',
    '1 open dead letter',
    'last resync began 2 min ago',
  ]);
});

test('it fits a screen of 80 columns, whatever the names', () => {
  const name = `backend-${'x'.repeat(40)}-qwjw4`;
  const long = { ...last, name, kind: 'DistributedService', outcome: 'not-permitted; reads=2; writes=1' };
  const own = { process: 'distributed-service', awake: 1, coldMs: 1459 };
  const shown = statusText(
    { ...status, functions: [{ name: 'distributed-service-changed', ...own, last: long }] },
    plain,
    80,
  );
  assert.deepEqual(
    shown.split('\n').filter((line) => line.length > 80),
    [],
  );
  assert.match(shown, /60 s ago {2}update Di\S+-qwjw4 +not-permi…, 1 write/);
});

test('an event without an outcome shows its status, and nothing is behind where no function is known', () => {
  const { outcome: _, ...bare } = last;
  assert.match(lines({ functions: [{ name: 'f', process: 'f', awake: 0, last: bare }] })[3] ?? '', /hello {2}204$/);
  assert.equal(lines({ functions: [] }).at(-3), 'event log: newest event 65 s ago');
});

for (const [seconds, age] of [
  [119, '119 s'],
  [120, '2 min'],
  [7200, '2 h'],
  [172_800, '2 d'],
] as const)
  test(`${seconds} s ago are ${age}`, () => {
    const lastResync = new Date(Date.parse(status.now) - seconds * 1000).toISOString();
    assert.equal(lines({ lastResync }).at(-1), `last resync began ${age} ago`);
  });

test('a log that hangs, a log without events and no resync are said', () => {
  assert.equal(lines({ log: { trouble: 'it hangs' } }).at(-2), 'event log: it hangs');
  const empty = lines({ log: { openDeadLetters: 0 }, lastResync: undefined });
  assert.deepEqual(empty.slice(-3), ['event log: no event yet', '0 open dead letters', 'no resync yet']);
});
