import assert from 'node:assert/strict';
import { test } from 'node:test';
import { portProblem, portsFrom } from '../ports.ts';

test('ports follow each other', () => {
  const next = portsFrom(8300);
  assert.deepEqual([next(), next(), next()], [8300, 8301, 8302]);
});

test('0 means any, each time', () => {
  const next = portsFrom(0);
  assert.deepEqual([next(), next()], [0, 0]);
});

for (const [code, sentence] of [
  ['EADDRINUSE', 'Port 8300 is in use: --port names another first port, 0 any free ones'],
  ['EACCES', 'Port 8300 needs more rights: --port names another first port, 0 any free ones'],
] as const) {
  test(`${code} is told as a sentence`, () => {
    const told = portProblem(Object.assign(new Error('listen'), { code, port: 8300 }));
    assert.ok(told instanceof Error);
    assert.equal(told.message, sentence);
  });
}

test('every other error stays as it is', () => {
  const error = new Error('other');
  assert.equal(portProblem(error), error);
});
