import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createKinds } from '../schema/kinds.ts';
import { conform, kindOf } from './conforming.ts';

/** A body of a built-in kind, what it replaces, and what kube-apiserver 1.35 says to it, a line a cause. */
interface Row {
  readonly sentence: string;
  readonly kind: string;
  readonly before?: object;
  readonly body: object;
  readonly said: readonly string[];
}

const kinds = createKinds();
const lines = readFileSync(join(import.meta.dirname, 'refusals.jsonl'), 'utf8')
  .trim()
  .split('\n');

for (const { sentence, kind: name, before, body, said } of lines.map(rowOf)) {
  test(`${name}: ${sentence}`, () => {
    const kind = kindOf(kinds, name);
    const current = before === undefined ? {} : { current: conform(kind, before).object };
    const found = conform(kind, body, current).said;
    assert.deepEqual(found === '' ? [] : found.split('\n'), said);
  });
}

test('an update tells each fault of metadata as often as the server looks', () => {
  const kind = kindOf(kinds, 'ConfigMap');
  const { object: current } = conform(kind, { metadata: { name: 'c', deletionTimestamp: '2026-01-01T00:00:00Z' } });
  const { said } = conform(kind, { metadata: { name: 'c', uid: 'x', finalizers: ['a/b'] } }, { current });
  const faults = [
    'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"a/b"}',
    'metadata.uid: Invalid value: "x": field is immutable',
    'metadata.deletionTimestamp: Invalid value: "": field is immutable',
  ];
  assert.deepEqual(said.split('\n'), [...faults, ...faults]);
});

/** In the file {"$repeat": 5} stands for xxxxx. */
function rowOf(line: string): Row {
  return JSON.parse(line, (_, value: { readonly $repeat?: number } | null) =>
    typeof value === 'object' && value?.$repeat !== undefined ? 'x'.repeat(value.$repeat) : value,
  ) as Row;
}
