import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Condition, toConditions } from '../../domain/conditions.ts';
import { isTime } from '../../domain/time.ts';

const now = '2026-01-02T03:04:05Z';
const finding = { type: 'Ready', status: 'True', reason: 'Running', message: 'It runs' } as const;
const before = (lastTransitionTime: unknown, status = 'True'): readonly Condition[] => [
  { ...finding, status, lastTransitionTime } as Condition,
];
const timeAfter = (conditions: readonly Condition[]): string | undefined =>
  toConditions([finding], conditions, now)[0]?.lastTransitionTime;

test('a condition keeps its time as long as its status stays', () => {
  assert.equal(timeAfter(before('2025-01-01T00:00:00Z')), '2025-01-01T00:00:00Z');
  assert.equal(timeAfter(before('2025-01-01T00:00:00Z', 'False')), now);
  assert.equal(timeAfter([]), now);
});

for (const time of [['x'], [], null, 7, {}, 'yesterday', '2026-01-02 03:04:05', '2026-13-02T03:04:05Z']) {
  test(`what stands for a time and is none is replaced: ${JSON.stringify(time)}`, () => {
    assert.equal(timeAfter(before(time)), now);
  });
}

test('a message is cut to what the CRDs take, and has no half of a character', () => {
  const messageOf = (message: string): string | undefined =>
    toConditions([{ ...finding, message }], [], now)[0]?.message;
  assert.equal(messageOf(`a${'😀'.repeat(600)}`), `a${'😀'.repeat(511)}\ufffd`);
  assert.equal(messageOf('half: \ud83d'), 'half: \ufffd');
});

test('a time is what RFC 3339 says, with a zone', () => {
  const good = ['2026-01-02T03:04:05Z', '2026-12-31T23:59:60.999999999+23:59', '2026-01-02T03:04:05.1-01:00'];
  assert.deepEqual(good.filter(isTime), good);
  const bad = [
    ...['2026-00-02T03:04:05Z', '2026-01-32T03:04:05Z', '2026-01-02T24:04:05Z', '2026-01-02T03:60:05Z'],
    ...['2026-01-02T03:04:61Z', '2026-01-02T03:04:05', '2026-01-02T03:04:05+24:00', '2026-01-02T03:04:05z'],
    ...[' 2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z\n', '2026-01-02T03:04:05.Z', '2026-01-02T03:04:05.0123456789Z'],
  ];
  assert.deepEqual(bad.filter(isTime), []);
});
