import assert from 'node:assert/strict';
import { it } from 'node:test';
import { chainOf, deliveryOf, historyOf, planOf } from '../model/answers.ts';
import { howOf } from '../model/causes.ts';
import { childrenOf, conditionsOf } from '../model/related.ts';
import { repairsOf, roundsOf } from '../model/resync.ts';
import { timelineOf } from '../model/timeline.ts';
import type { RecordedEvent } from '../model/types.ts';
import { readRecorded } from './recorded.ts';

const { events, history, chain } = readRecorded();
const eventAt = (seq: number) => events.find((event) => event.seq === seq) as RecordedEvent;

const base = { event: 1, id: 'a', function: 'f', reads: 0, writes: 0, parents: [], written: [] };
const time = '2026-01-02T03:04:05.000Z';

it('a function that reports by itself had its start before the time that it names', () => {
  const reported = { ...base, seq: 1, event: { id: 'a', source: '/a' }, at: time, ms: 10, coldMs: 500, status: 204 };
  const { at, ms, attempt, event } = deliveryOf({ ...reported, outcome: 'done' });
  assert.deepEqual({ at, ms, attempt, event }, { at: time, ms: 10, attempt: 1, event: 0 });
});

it('a chain has what was written as a tree, each event once, and writes that no event shows', () => {
  const { causes, effects, isCut } = chainOf(chain);
  assert.deepEqual([causes, isCut], [[], false]);
  const kinds = effects.map(({ function: name, write, event }) => [name, write.do, event?.kind]);
  assert.deepEqual(kinds.slice(0, 2), [
    ['message-changed', 'delete', 'Pod'],
    ['message-changed', 'status', 'Message'],
  ]);
  const [became] = chain.deliveries;
  assert.ok(became);
  const [made] = became.made;
  assert.ok(made);
  const twice = { ...became, made: [made, made, { ...made, events: [] }] };
  assert.deepEqual(
    chainOf({ causes: [], deliveries: [twice], cut: true }).effects.map(({ event }) => event?.seq),
    [made.events[0]?.seq, undefined],
  );
});

it('a history is the versions with their changes by part, who wrote them and why; Kubernetes Events stand between them', () => {
  const { versions, before } = historyOf({ ...history, next: { before: 3 } });
  assert.deepEqual([versions.length, before], [history.versions.length, 3]);
  const patched = versions.find(({ diff }) => diff.spec.some(({ path, op }) => path === '/text' && op === 'replace'));
  assert.equal(patched?.manager, 'kubectl-patch');
  assert.ok(versions.some(({ causes }) => causes.some(({ by, event }) => by === 'version' && event !== undefined)));
  assert.ok(versions.some(({ diff }) => diff.status.some(({ op }) => op === 'add')));
  const at = patched?.at ?? '';
  const noted = [
    { time: '2020-01-01T00:00:00Z', type: 'Warning', reason: 'Old', note: 'why' },
    { time: at, type: 'Normal', reason: 'New', note: 'why' },
  ];
  const line = timelineOf(versions, noted);
  assert.equal(line.length, versions.length + 2);
  const last = line.at(-1);
  assert.ok(last !== undefined && 'noted' in last && last.noted.reason === 'Old');
});

it('a plan has what each write would change, the whole object of a creation, and how much is left out', () => {
  const write = { do: 'create' };
  const about = { kind: 'Pod', namespace: 'shop', name: 'a', events: 2, last: 7, functions: ['f'] };
  const rest = { failed: [], answers: 2, events: 2 };
  const object = { kind: 'Pod' };
  const changes = [
    { field: '/spec/text', before: 'a', after: 'b' },
    { field: '/spec/old', before: 1 },
  ];
  const writes = [{ ...write, changes: [{ field: '', after: object }] }, { ...write, changes, leftOut: 2 }, write];
  assert.deepEqual(planOf({ ...rest, objects: [{ ...about, writes }], leftOut: 3 }), {
    ...rest,
    leftOut: 3,
    objects: [
      {
        ...about,
        writes: [
          { ...write, leftOut: 0, changes: [{ op: 'add', path: '', value: object }] },
          {
            ...write,
            leftOut: 2,
            changes: [
              { op: 'replace', path: '/spec/text', was: 'a', value: 'b' },
              { op: 'remove', path: '/spec/old', was: 1 },
            ],
          },
          { ...write, leftOut: 0 },
        ],
      },
    ],
  });
  assert.equal(planOf({ ...rest, objects: [] }).leftOut, 0);
});

it('an object has conditions and children as the newest event of each shows them', () => {
  const message = eventAt(145);
  assert.ok(conditionsOf(message).some(({ type, status }) => type === 'Ready' && status === 'True'));
  const [child, ...others] = childrenOf(message, events);
  assert.deepEqual([child?.name, others.length], ['msg-hello', 0]);
  const gone = { ...eventAt(145), seq: 9000, type: 'dev.knative.apiserver.resource.delete' };
  const owner = { ...eventAt(145), data: { metadata: { uid: 'owner' } } };
  const owned = {
    ...gone,
    data: { metadata: { uid: 'x', ownerReferences: [{ kind: 'A', name: 'b', uid: 'owner' }] } },
  };
  assert.deepEqual(
    childrenOf(owner, [owned]).map(({ state }) => state),
    ['deleted'],
  );
  for (const ownerReferences of ['owner', [null, 7], 5]) {
    const odd = { ...owned, data: { metadata: { uid: 'x', ownerReferences } } } as RecordedEvent;
    assert.deepEqual(childrenOf(owner, [odd]), []);
  }
});

it('rounds of the resync have the objects that they asked after, and what they repaired', () => {
  const at = (seconds: number) => new Date(Date.parse(time) + seconds * 1000).toISOString();
  const round = { ...eventAt(1), seq: 10, time: at(0), type: 'dev.knative.sources.ping', source: '/a/ping' };
  const own = { ...round, source: '/knudge/resync-due' };
  const page = { ...own, seq: 12, time: at(2), type: 'dev.knudge.resync.due' };
  const asked = { ...own, seq: 11, time: at(1), type: 'dev.knudge.resync.requested' };
  const next = { ...round, seq: 20, time: at(60), type: 'dev.knudge.resync.due' };
  assert.deepEqual(
    roundsOf({ ticks: { events: [round] }, pages: { events: [next, page] }, asked: { events: [asked] } }).map(
      ({ by, ms, pages, asked: count }) => [by, ms, pages, count],
    ),
    [
      ['a request', 0, 1, 0],
      ['a tick', 2000, 2, 1],
    ],
  );
  const wrote = { do: 'apply', kind: 'Pod', namespace: 'a', name: 'b', uid: 'u', resourceVersion: '1' };
  const one = { ...base, seq: 1, attempt: 1, at: time, ms: 1, status: 204, outcome: 'done', writes: 1 };
  const repairs = repairsOf(
    [asked, { ...asked, seq: 13 }],
    new Map([
      [11, [{ ...one, written: [wrote] }]],
      [13, [one]],
    ]),
  );
  assert.deepEqual(
    repairs.map((repair) => repair.wrote),
    ['apply Pod a/b', '1 objects'],
  );
});

it('a round whose questions were not all read says so, and not that it asked after nothing', () => {
  const base = { ...eventAt(1), source: '/a/ping', type: 'dev.knative.sources.ping' };
  const own = { ...base, source: '/knudge/resync-due', type: 'dev.knudge.resync.requested' };
  const size = 20;
  // Ten rounds, each a tick and its questions, newest first.
  const all = Array.from({ length: 10 * (size + 1) }, (_, index) => ({
    ...(index % (size + 1) === 0 ? base : own),
    seq: index + 1,
    time: new Date(Date.parse(time) + index * 1000).toISOString(),
  })).toReversed();
  const ticks: { readonly events: typeof all; readonly next?: string } = {
    events: all.filter(({ source }) => source === base.source),
  };
  const questions = all.filter(({ source }) => source === own.source);
  const said = (read: number, of = ticks) => {
    const asked = { events: questions.slice(0, read), ...(read < questions.length && { next: '/more' }) };
    return roundsOf({ ticks: of, pages: { events: [] }, asked }).map(({ known, asked, ms }) =>
      known === 'none' ? known : `${known} ${asked} in ${ms / 1000} s`,
    );
  };
  const whole = `all ${size} in ${size} s`;
  assert.deepEqual(said(questions.length), Array(10).fill(whole));
  assert.deepEqual(said(2 * size + 5), [whole, whole, `part 5 in ${size} s`, ...Array(7).fill('none')]);
  // Where the cut is between two rounds, nothing says that the older one is whole.
  assert.deepEqual(said(2 * size), [whole, `part ${size} in ${size} s`, ...Array(8).fill('none')]);
  // Its end is not known where what began after it is not.
  const cut = { events: ticks.events.slice(0, 3), next: '/more' };
  assert.deepEqual(said(questions.length, cut), [whole, whole, whole]);
  const pages = { events: [{ ...own, seq: 50, type: 'dev.knudge.resync.due' }], next: '/more' };
  const asked = { events: questions };
  for (const [lists, count] of [
    [{ ticks, pages, asked }, 7],
    [{ ticks, pages: undefined, asked }, 0],
    [{ ticks, pages: { events: [] }, asked: undefined }, 0],
  ] as const) {
    assert.equal(roundsOf(lists).filter(({ known }) => known === 'all').length, count);
  }
});

it('what a function has to do with an event is a sentence; it does not say that a function wrote what somebody else wrote', () => {
  const said = (['version', 'uid', 'id', 'object', 'name'] as const).map((by) => {
    const { before, did } = howOf({ by });
    return `${before} F ${did}, because of event 1`.trim();
  });
  assert.deepEqual(said, [
    'F wrote this version, because of event 1',
    'F deleted it, because of event 1',
    'F sent it, because of event 1',
    'No function reports this version: somebody else changed the object, or the report is missing. F made the object before, because of event 1',
    'This is a guess, since the event names no version: F wrote the object shortly before, because of event 1',
  ]);
});
