import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { recorded } from '../../../../test/build/event.ts';
import type { Received } from '../../domain/change.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { type Cursor, continuationOf, cursorIn } from '../../resync/cursor.ts';
import { decode } from '../../wire/decode.ts';
import { encode } from '../../wire/encode.ts';

const kinds = [
  { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' },
  { apiVersion: 'myorg.dev/v1', kind: 'Message' },
];
const place: Cursor = {
  round: 'r',
  step: 3,
  kind: 'Message',
  group: 'myorg.dev',
  token: 't/1==',
  after: 'shop/hello',
  through: 'shop/z',
  ring: { part: 'head', edge: 'shop/k' },
  restarts: 1,
};
const start = { step: 0, kind: 'DistributedService', group: 'frp.io', token: '', after: '', restarts: 0 };

const due = (data: unknown): Received => ({
  id: 'id-1',
  type: 'dev.knudge.resync.due',
  source: '/x',
  extensions: new Map(),
  data,
});

test('a tick begins a round at the first kind of its order, whatever its data', () => {
  const tick = decode(recorded('resync-due/pingsource-through-broker'));
  assert.deepEqual(cursorIn(tick, kinds), { ...start, round: tick.id });
});

test('so does an event of the installation, which has no data', () => {
  assert.deepEqual(cursorIn(due(undefined), kinds), { ...start, round: 'id-1', kind: 'Message', group: 'myorg.dev' });
});

test('the id of a round is bounded, because every event of it carries the id', () => {
  assert.equal(cursorIn({ ...due(undefined), id: 'x'.repeat(9000) }, kinds).round.length, 100);
  assert.equal(cursorIn(due({ ...place, round: 'x'.repeat(9000) }), kinds).round.length, 100);
});

test('a continuation goes on where the invocation before stopped, one step further', () => {
  const { headers, body } = encode(continuationOf(place, '2026-01-01T00:00:00Z'));
  const received = decode({ headers, body: Buffer.from(body) });
  assert.deepEqual(
    [received.id, received.type, received.source],
    ['r/step/4', 'dev.knudge.resync.due', '/knudge/resync-due'],
  );
  assert.deepEqual(cursorIn(received, kinds), { ...place, step: 4 });
  const later = { ...place, key: 'k', isPartial: true } as const;
  assert.deepEqual(cursorIn(due(later), kinds), later);
  for (const ring of [{ part: 'way', left: 7 }, { part: 'tail', edge: '' }, undefined] as const) {
    const { ring: _, ...other } = place;
    const here = { ...other, ...(ring && { ring }) };
    assert.deepEqual(cursorIn(due(here), kinds), here);
  }
});

test('a continuation of an earlier version, which has no group, goes on', () => {
  const { group: _, ...earlier } = place;
  assert.deepEqual(cursorIn(due(earlier), kinds), earlier);
});

suite('a continuation is refused', () => {
  const rows: readonly [what: string, data: unknown][] = [
    ['data', 'text'],
    ['data', null],
    ['data', [place]],
    ['kind', { ...place, kind: 'Secret' }],
    ['kind', {}],
    ['kind', { ...place, group: 'frp.io' }],
    ['kind', { ...place, isOfChildren: true }],
    ['group', { ...place, group: 7 }],
    ['round', { ...place, round: 1 }],
    ['key', { ...place, key: 7 }],
    ['step', { ...place, step: -1 }],
    ['step', { ...place, step: 0.5 }],
    ['token', { ...place, token: undefined }],
    ['after', { ...place, after: {} }],
    ['through', { ...place, through: 7 }],
    ['ring', { ...place, ring: null }],
    ['ring', { ...place, ring: { part: 'middle', edge: '' } }],
    ['ring', { ...place, ring: { part: 'way', left: -1 } }],
    ['ring', { ...place, ring: { part: 'tail' } }],
    ['restarts', { ...place, restarts: '1' }],
  ];
  for (const [what, data] of rows) {
    test(`with ${JSON.stringify(data)}: its ${what} is wrong`, () => {
      assert.throws(
        () => cursorIn(due(data), kinds),
        (error: unknown) =>
          error instanceof KnudgeError && error.code === 'invalid-event' && error.message.includes(what),
      );
    });
  }
});
