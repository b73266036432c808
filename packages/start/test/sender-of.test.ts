import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Config, readConfig } from '../../controller/server/config.ts';
import { createLog } from '../../controller/server/log.ts';
import { reportingOf } from '../reporting.ts';
import { senderOf } from '../sender-of.ts';

const configWith = (env: Readonly<Record<string, string>>): Config =>
  readConfig({ K_SERVICE: 'resync-due', LOG_LEVEL: 'silent', ...env });
const sink = { K_SINK: 'http://127.0.0.1:8080/knudge/knudge' };

test('all parts of a process that ask for the sender get the same one', () => {
  const ask = senderOf(configWith(sink));
  const sender = ask();
  assert.ok(sender);
  assert.equal(ask(), sender);
});

test('a process without a Broker has no sender', () => {
  const ask = senderOf(configWith({}));
  assert.deepEqual([ask(), ask()], [undefined, undefined]);
});

for (const [REPORT_DELIVERIES, asked] of [
  ['none', 0],
  ['header', 0],
  ['event', 1],
] as const) {
  test(`a process with REPORT_DELIVERIES=${REPORT_DELIVERIES} asks ${asked} times for the sender`, () => {
    const config = configWith({ ...sink, REPORT_DELIVERIES });
    let times = 0;
    const ask = () => {
      times += 1;
      return senderOf(config)();
    };
    reportingOf({ config, log: createLog(config), sender: ask });
    assert.equal(times, asked);
  });
}
