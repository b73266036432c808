import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { consoleAssets } from '../index.ts';
import { changesOf, placesOf } from '../model/changes.ts';
import { curlOf, fixtureOf } from '../model/copies.ts';
import { type Filter, filterIn, filterOf, notReplayed, textOf } from '../model/filters.ts';
import { causesOf, commandsIn } from '../model/findings.ts';
import { flowOf, servedIn } from '../model/flow-graph.ts';
import { foldedOf } from '../model/folds.ts';
import { readerOfKeys } from '../model/keys.ts';
import { hashOf, routeOf, tokenIn } from '../model/route.ts';
import { mergedWith, rowsOf } from '../model/rows.ts';
import { readerOfEvents } from '../model/sse.ts';
import type { RecordedEvent } from '../model/types.ts';
import { readRecorded } from './recorded.ts';

const { events, deliveries, map } = readRecorded();
const of = (seq: number) => deliveries.filter(({ event }) => event === seq);
const eventAt = (seq: number) => events.find((event) => event.seq === seq) as RecordedEvent;

/** Bytes of everything that a browser fetches, as gzip. */
const budget = 100_000;

it('the whole console is at most 100 KB as gzip', async () => {
  const assets = await consoleAssets();
  assert.deepEqual([...assets.keys()].sort(), ['app.css', 'app.js', 'icon.svg', 'index.html']);
  const bytes = [...assets.values()].reduce((sum, { body }) => sum + gzipSync(body).length, 0);
  assert.ok(bytes > 10_000 && bytes <= budget, `${bytes} bytes`);
  const html = String(assets.get('index.html')?.body);
  assert.doesNotMatch(html, /<script(?![^>]*src=)|<style|style=|https?:/);
});

describe('a filter', () => {
  const filters: readonly Filter[] = [
    {},
    { kind: 'Pod', name: 'a' },
    { since: '2026-01-02T03:04:05Z', q: 'two words' },
  ];
  for (const filter of filters) {
    it(`is the same after the address and after the bar: ${JSON.stringify(filter)}`, () => {
      assert.deepEqual(filterOf(routeOf(hashOf(['events'], filter)).query), filter);
      assert.deepEqual(filterIn(textOf(filter)), filter);
    });
  }

  it('is refused by a replay where it has words of lists', () => {
    assert.equal(notReplayed({ kind: 'Pod', since: '2026-01-02T03:04:05Z' }), undefined);
    assert.match(
      notReplayed({ q: 'a', only: 'failed' }) ?? '',
      /^A replay cannot choose by words to search for or `only`: /,
    );
    assert.match(notReplayed({ changed: 'spec' }) ?? '', /`changed`/);
  });

  it('takes a word that it does not know as text', () => {
    assert.deepEqual(filterIn('kind=Pod colour=red x'), { kind: 'Pod', q: 'colour=red x' });
  });
});

it('an address names a page and an object with odd letters', () => {
  assert.deepEqual(routeOf(hashOf(['objects', 'Pod', 'a/b', 'c d'])).parts, ['objects', 'Pod', 'a/b', 'c d']);
  assert.deepEqual(tokenIn('#token=a%20b&to=/events/1'), { token: 'a b', rest: '#/events/1' });
  assert.equal(tokenIn('#/events'), undefined);
});

it('changes leave out what each write moves, and name their places', () => {
  const [before, after] = [eventAt(40).data, eventAt(52).data];
  const changes = changesOf(before, after);
  assert.ok(changes.every(({ path }) => !/managedFields|resourceVersion/.test(path)));
  assert.ok(changes.some(({ path, was, value }) => path === '/spec/text' && was !== value));
  assert.ok(placesOf(changes).includes('status.phase'));
});

it('the flow has each function once, right of its Triggers', () => {
  const { nodes, edges, width } = flowOf(map);
  const functions = nodes.filter(({ kind }) => kind === 'function');
  assert.deepEqual(functions.map(({ label }) => label).sort(), [
    'distributed-service',
    'message-changed',
    'resync-due',
  ]);
  const served = servedIn(map);
  assert.deepEqual(
    [served.get('pod-changed'), served.get('message-changed')],
    ['distributed-service', 'message-changed'],
  );
  assert.ok(nodes.filter(({ kind }) => kind === 'trigger').every(({ calls }) => served.has(calls ?? '')));
  for (const { from, to } of edges) {
    const [left, right] = [from, to].map((id) => nodes.find((node) => node.id === id)?.x ?? Number.NaN);
    assert.ok(Number(left) < Number(right), `${from} → ${to}`);
  }
  assert.ok(nodes.length <= 40 && width > 0);
});

it('a gap is a row at its time, and new events come in front', () => {
  const newest = events.toReversed();
  const [from, to] = [eventAt(48).time, eventAt(52).time];
  const gaps = [{ from, to, reason: 'the store did not answer', events: 3 }];
  const rows = rowsOf(newest, gaps);
  assert.equal(rows.length, events.length + 1);
  const at = rows.findIndex(({ row }) => row === 'gap');
  assert.ok(at > 0 && at < rows.length);
  const [first = eventAt(1)] = newest;
  const merged = mergedWith(newest, [{ ...first, seq: 9000 }]);
  assert.deepEqual([merged.length, merged[0]?.seq], [events.length + 1, 9000]);
  assert.equal(mergedWith(newest, [first], 10).length, 10);
});

it('a stream is read piece by piece', () => {
  const read = readerOfEvents();
  assert.deepEqual(read('retry: 1000\nid: 3-0\n: open\n\n'), [{ id: '3-0', event: 'message', data: '' }]);
  assert.deepEqual(read(': beat\n\nid: 7\nda'), []);
  assert.deepEqual(read('ta: {"a":1}\n\n'), [{ id: '7', event: 'message', data: '{"a":1}' }]);
});

it('a stream is read whole, whatever signs a text in it has', () => {
  const codes = Array.from({ length: 0xffff }, (_, code) => code + 1).filter((code) => code < 0xd800 || code > 0xdfff);
  const data = JSON.stringify({ text: String.fromCharCode(...codes) });
  assert.deepEqual(readerOfEvents()(`id: 8\nevent: event\ndata: ${data}\n\n`), [{ id: '8', event: 'event', data }]);
});

it('events that changed nothing are folded', () => {
  const tries = new Map(events.map(({ seq }) => [seq, of(seq)]));
  const folds = foldedOf(events.toReversed(), tries);
  assert.ok(folds.length < events.length);
  assert.equal(folds.flatMap((fold) => fold.events).length, events.length);
});

it('an event is copied as a command and as a fixture', () => {
  const event = { ...eventAt(145), data: { text: "it's" } };
  assert.match(curlOf(event), /-H 'ce-kind: Message'[\s\S]*'\{"text":"it'\\''s"\}'$/);
  assert.equal((JSON.parse(fixtureOf(event)) as { headers: Record<string, string> }).headers['ce-name'], 'hello');
});

it('findings that one deed mends are one cause, and its command can be copied', () => {
  const finding = { check: 'c', level: 'problem', what: 'w', todo: 'kubectl get pods' } as const;
  const causes = causesOf([{ check: 'a', level: 'ok', what: 'fine' }, finding, { ...finding, what: 'v' }]);
  assert.deepEqual(
    causes.map(({ level, findings }) => [level, findings.length]),
    [
      ['problem', 2],
      ['ok', 1],
    ],
  );
  assert.deepEqual(commandsIn('do `npm start` first'), ['npm start']);
  assert.deepEqual(commandsIn('kubectl get pods'), ['kubectl get pods']);
});

it('two keys within a second are one', () => {
  let now = 0;
  const read = readerOfKeys(() => now);
  assert.deepEqual([read('g'), read('e'), read('e'), read('g')], ['', 'g e', 'e', '']);
  now = 1500;
  assert.equal(read('e'), 'e');
});
