import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHigher, isVersion, minorOf } from '../../../tools/release/semver.ts';

/** Of section 11 of the specification, each lower than the next. */
const rising = [
  ...['0.1.0-alpha', '0.1.0', '0.1.1', '0.2.0', '0.10.0', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta'],
  ...['1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0', '2.0.0', '2.1.0', '2.1.1', '10.0.0'],
];

test('versions are ordered as the specification orders them', () => {
  for (const [at, one] of rising.entries()) {
    for (const [other, than] of rising.entries()) assert.equal(isHigher(one, than), at > other, `${one} > ${than}`);
  }
});

for (const text of [
  '0.2',
  '0.2.0.0',
  'v0.2.0',
  '0.02.0',
  '0.2.0-',
  '0.2.0-rc..1',
  '0.2.0-01',
  '0.2.0+build',
  ' 0.2.0',
]) {
  test(`"${text}" is no version`, () => assert.equal(isVersion(text), false));
}

test('what is ordered is a version', () => assert.deepEqual(rising.filter(isVersion), rising));

test('a version belongs to its major and minor', () => assert.equal(minorOf('0.12.3-rc.1'), '0.12'));
