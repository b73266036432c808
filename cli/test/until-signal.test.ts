import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { untilSignal } from '../until-signal.ts';

function start() {
  const signals = Object.assign(new EventEmitter(), { stdout: new EventEmitter() });
  const exits: number[] = [];
  const clock = { now: 0 };
  const told = untilSignal(
    signals,
    (code) => exits.push(code),
    () => clock.now,
  );
  return { signals, exits, clock, told };
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  test(`${signal} is the end`, async () => {
    const { signals, exits, told } = start();
    signals.emit(signal);
    await told;
    assert.deepEqual(exits, []);
  });
}

test('one Ctrl-C that arrives twice, from the terminal and from npm, is one', () => {
  const { signals, exits, clock } = start();
  signals.emit('SIGINT');
  clock.now = 299;
  signals.emit('SIGINT');
  assert.deepEqual(exits, []);
});

test('a second Ctrl-C ends at once', () => {
  const { signals, exits, clock } = start();
  signals.emit('SIGINT');
  clock.now = 301;
  signals.emit('SIGINT');
  assert.deepEqual(exits, [130]);
});

test('a reader that is gone is the end, however often it is noticed', async () => {
  const { signals, exits, clock, told } = start();
  signals.stdout.emit('error');
  await told;
  clock.now = 301;
  signals.stdout.emit('error');
  assert.deepEqual(exits, []);
});
