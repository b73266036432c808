import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hopOf } from './running-mesh.ts';

test('the last line of a mesh that was killed may be cut, and throws in no test', () => {
  assert.deepEqual(hopOf('{"kind":"delivered"}'), { kind: 'delivered' });
  assert.deepEqual(hopOf('{"kind":"deliv'), { kind: 'cut', line: '{"kind":"deliv' });
});
