import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { isOlder, readPins } from '../../../tools/control-plane/pins.ts';

const rows: [version: string, than: string, older: boolean][] = [
  ['go1.25.9', '1.26.0', true],
  ['go1.9', '1.26.0', true],
  ['go1.26', '1.26.0', false],
  ['go1.26.8', '1.26.0', false],
  ['go2.0.0', '1.26.0', false],
  ['1.26.0', '1.26.1', true],
];

for (const [version, than, older] of rows) {
  test(`${version} is ${older ? '' : 'not '}older than ${than}`, () => {
    assert.equal(isOlder(version, than), older);
  });
}

test('the pins come from the go.mod files, and the newer of their Go versions counts', () => {
  const { kubernetes, go } = readPins(join(import.meta.dirname, '../../../tools/control-plane'));
  assert.match(kubernetes, /^v1\.\d+\.\d+$/);
  assert.match(go, /^1\.\d+(\.\d+)?$/);
});
