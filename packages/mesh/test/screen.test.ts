import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CloudEvent } from '../cloud-event.ts';
import type { Hop } from '../hop.ts';
import { coloured, lineOf, plain } from '../screen.ts';

const pod = about({ type: 'dev.knative.apiserver.resource.add', kind: 'Pod', name: 'web-1', namespace: 'shop' });
const tick = about({ type: 'dev.knative.sources.ping' });

function about(attributes: Readonly<Record<string, string>>): CloudEvent {
  return { attributes, data: Buffer.alloc(0) };
}

function delivered(overrides: Partial<Extract<Hop, { kind: 'delivered' }>> = {}): Hop {
  const usual = {
    kind: 'delivered',
    trigger: 'knudge/pod-changed',
    event: pod,
    attempt: 1,
    status: 204,
    ms: 3,
  } as const;
  return { ...usual, headers: {}, ...overrides };
}

const done = { 'knudge-outcome': 'done; reads=2; writes=2', 'knudge-parents': 'DistributedService shop/web' };
const why = 'first\n  second';

const rows: readonly { readonly name: string; readonly hop: Hop; readonly line: string | undefined }[] = [
  {
    name: 'what a cold function did',
    hop: delivered({ headers: { ...done, 'knudge-cold-ms': '240' } }),
    line: 'Pod web-1 added → pod-changed (cold 240 ms) → DistributedService shop/web: 2 writes',
  },
  {
    name: 'one write',
    hop: delivered({ headers: { ...done, 'knudge-outcome': 'done; reads=2; writes=1' } }),
    line: 'Pod web-1 added → pod-changed → DistributedService shop/web: 1 write',
  },
  {
    name: 'nothing to write',
    hop: delivered({ headers: { ...done, 'knudge-outcome': 'done; reads=2; writes=0' } }),
    line: 'Pod web-1 added → pod-changed → DistributedService shop/web: nothing to do',
  },
  {
    name: 'a parent that is gone',
    hop: delivered({ headers: { ...done, 'knudge-outcome': 'gone; reads=1; writes=0' } }),
    line: 'Pod web-1 added → pod-changed → DistributedService shop/web: is gone',
  },
  {
    name: 'what is known already',
    hop: delivered({ headers: { ...done, 'knudge-outcome': 'ignored; reads=0; writes=0' } }),
    line: 'Pod web-1 added → pod-changed → DistributedService shop/web: nothing to do',
  },
  {
    name: "nobody's object",
    hop: delivered({ headers: { 'knudge-outcome': 'ignored; reads=0; writes=0' } }),
    line: 'Pod web-1 added → pod-changed → nothing of ours',
  },
  {
    name: 'what every event is: kept',
    hop: delivered({ trigger: 'knudge/event-recorded', headers: { 'knudge-outcome': 'done; reads=0; writes=0' } }),
    line: undefined,
  },
  {
    name: 'a function of somebody else',
    hop: delivered({ trigger: 'theirs', status: 200 }),
    line: 'Pod web-1 added → theirs → done',
  },
  {
    name: 'a resync that sends',
    hop: delivered({
      event: tick,
      trigger: 'knudge/resync-due',
      headers: { 'knudge-outcome': 'done; reads=1; writes=0; sent=3; failed=0' },
    }),
    line: 'dev.knative.sources.ping → resync-due → 3 events sent',
  },
  {
    name: 'a later try',
    hop: delivered({ attempt: 3, headers: done }),
    line: 'Pod web-1 added → pod-changed (try 3) → DistributedService shop/web: 2 writes',
  },
  { name: 'a refusal', hop: delivered({ status: 503 }), line: 'Pod web-1 added → pod-changed → 503' },
  {
    name: 'a refusal with its reason in one line',
    hop: delivered({ status: 502, why }),
    line: 'Pod web-1 added → pod-changed → 502: first second',
  },
  {
    name: 'no answer',
    hop: delivered({ status: 0, why: 'context deadline exceeded' }),
    line: 'Pod web-1 added → pod-changed → no answer: context deadline exceeded',
  },
  {
    name: 'a change',
    hop: delivered({ event: about({ ...pod.attributes, type: 'dev.knative.apiserver.ref.update' }) }),
    line: 'Pod web-1 changed → pod-changed → done',
  },
  {
    name: 'a deletion',
    hop: delivered({ event: about({ ...pod.attributes, type: 'dev.knative.apiserver.resource.delete' }) }),
    line: 'Pod web-1 deleted → pod-changed → done',
  },
  {
    name: 'another type about an object',
    hop: delivered({ event: about({ ...pod.attributes, type: 'x.constructor' }) }),
    line: 'Pod web-1 (x.constructor) → pod-changed → done',
  },
  { name: 'an event without a type', hop: delivered({ event: about({}) }), line: ' → pod-changed → done' },
  { name: 'sent at once', hop: { kind: 'sent', source: 's', event: pod, attempts: 1, status: 202 }, line: undefined },
  {
    name: 'sent late',
    hop: { kind: 'sent', source: 's', event: pod, attempts: 2, status: 202 },
    line: 'Pod web-1 added → Broker at try 2',
  },
  { name: 'lost', hop: { kind: 'lost', source: 's', event: pod, why }, line: 'Pod web-1 added is lost: first second' },
  {
    name: 'dead-lettered',
    hop: { kind: 'dead-lettered', trigger: 'knudge/pod-changed', event: pod, to: 'http://dead', status: 204 },
    line: 'Pod web-1 added → pod-changed gave up → dead letter to http://dead',
  },
  {
    name: 'dropped',
    hop: { kind: 'dropped', trigger: 'knudge/pod-changed', event: pod, why },
    line: 'Pod web-1 added → pod-changed gave up, and it is lost: first second',
  },
  { name: 'woke', hop: { kind: 'woke', function: 'f', coldMs: 239.6, pids: [7] }, line: 'f woke in 240 ms' },
  {
    name: 'woke beside others',
    hop: { kind: 'woke', function: 'f', coldMs: 5, pids: [7, 8] },
    line: 'f woke in 5 ms, 2 are awake',
  },
  { name: 'slept', hop: { kind: 'slept', function: 'f', pids: [] }, line: 'f sleeps' },
  {
    name: 'crashed',
    hop: { kind: 'crashed', function: 'f', why: `ended with exit code 3: ${why}` },
    line: 'f crashed: it ended with exit code 3: first second',
  },
  {
    name: 'crashed, of its logs only what a person must know',
    hop: {
      kind: 'crashed',
      function: 'f',
      why: 'was ended by SIGKILL: {"level":"info","msg":"listening"} | {"level":"error","msg":"bad","err":{"message":"x"}} | oh',
    },
    line: 'f crashed: it was ended by SIGKILL: bad: x | oh',
  },
  {
    name: 'crashed without a word that matters',
    hop: { kind: 'crashed', function: 'f', why: 'was ended by SIGKILL: {"level":"info","msg":"listening"}' },
    line: 'f crashed: it was ended by SIGKILL',
  },
  { name: 'a plain line', hop: { kind: 'said', function: 'f', line: 'oh' }, line: 'f: oh' },
  { name: 'no log of ours', hop: { kind: 'said', function: 'f', line: '{"a":1}' }, line: 'f: {"a":1}' },
  { name: 'half a log', hop: { kind: 'said', function: 'f', line: '{"level":' }, line: 'f: {"level":' },
  {
    name: 'a usual log',
    hop: { kind: 'said', function: 'f', line: '{"level":"info","msg":"listening"}' },
    line: undefined,
  },
  {
    name: 'a warning in a log',
    hop: { kind: 'said', function: 'f', line: '{"level":"warn","msg":"slow"}' },
    line: 'f: slow',
  },
  {
    name: 'an error in a log',
    hop: { kind: 'said', function: 'f', line: '{"level":"error","msg":"failed","err":{"message":"a\\nb"}}' },
    line: 'f: failed: a b',
  },
  { name: 'a warning', hop: { kind: 'warning', about: 'Trigger x', text: why }, line: 'Trigger x: first second' },
  { name: 'watching', hop: { kind: 'watching', source: 's', what: 'Pod' }, line: 's watches Pod' },
  { name: 'blind', hop: { kind: 'blind', source: 's', what: 'Pod', why }, line: 's cannot watch Pod: first second' },
];

for (const { name, hop, line } of rows) {
  test(`the screen: ${name}`, () => {
    assert.equal(lineOf(hop, plain), line);
  });
}

test('on a screen with colours a crash is red', () => {
  const line = lineOf({ kind: 'crashed', function: 'f', why: 'ended' }, coloured);
  assert.equal(line, 'f \u001b[31mcrashed: it ended\u001b[0m');
});
