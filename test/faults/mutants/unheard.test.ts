import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Trace, TracedChange } from '../trace.ts';
import { unheardIn } from './unheard.ts';

const change = (at: number, parts: Partial<TracedChange> = {}, metadata: object = {}): TracedChange => ({
  ...{ at, by: { who: 'run', run: 1, call: at - 1 }, type: 'MODIFIED' },
  object: { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web', namespace: 'shop', ...metadata } },
  ...parts,
});

const traceOf = (changes: readonly TracedChange[]): Trace =>
  ({ changes, marks: { lifted: 10, rest: 20, end: 30 } }) as unknown as Trace;

describe('what no event had announced', () => {
  const rows: readonly (readonly [string, TracedChange, number])[] = [
    ['is what the resync had to write', change(15), 1],
    ['is not what an event made right before', change(5), 0],
    ['is not what comes after the rest', change(25), 0],
    ['is not what somebody else writes', change(15, { by: { who: 'cluster' } }), 0],
    ['is not a deletion that takes its time', change(15, {}, { deletionTimestamp: '2026-01-01T00:00:00Z' }), 0],
  ];
  for (const [name, one, count] of rows) {
    it(name, () => assert.equal(unheardIn(traceOf([one])).length, count));
  }

  it('is told with its name', () => assert.match(unheardIn(traceOf([change(15)]))[0]?.what ?? '', /Service shop\/web/));
});
