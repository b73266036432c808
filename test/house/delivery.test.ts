import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readConfig } from '../../packages/controller/server/config.ts';
import { tryOften } from '../../packages/mesh/broker/tries.ts';
import { readManifests } from '../../packages/mesh/manifests/read-manifests.ts';
import type { Delivery, FunctionSpec } from '../../packages/mesh/mesh-spec.ts';
import { root } from './files.ts';

/** What docs/decisions/0030 promises, in milliseconds. */
const promised = {
  /** The longest that an event which nobody takes keeps the later ones of its kind waiting. */
  held: 60_000,
  /** For the start of a function that sleeps. */
  wake: 5000,
  /** Three times the slowest start on a machine with much other work, 3.7 s; of the 5.6 s at a load of 28 on two cores it is twice. */
  leastTimeout: 11_100,
} as const;
/** Its tries are a clock, and nothing waits behind them but the next event of a source that has no other reader: decision 0032. */
const clocks: Readonly<Record<string, number>> = { 'source-restarted': 250_000 };
/** Takes every event, and holds nobody back by other means: test/house/manifests.test.ts and docs/event-log.md. */
const recording = 'event-recorded';

for (const overlay of [undefined, ...readdirSync(join(root, 'deploy/overlays'))]) {
  const { brokers, triggers, functions } = readManifests({ root, ...(overlay !== undefined && { overlay }) });
  describe(`what ${overlay === undefined ? 'deploy' : `the overlay ${overlay}`} delivers`, () => {
    for (const { name, delivery } of brokers) {
      it(`by the Broker ${name} holds nobody back for longer than is promised`, async () => {
        assert.ok((await longestMs(delivery)) <= promised.held, `${await longestMs(delivery)} ms`);
      });
    }

    for (const { name, delivery, subscriber } of triggers.filter((one) => one.name !== recording)) {
      it(`to ${name} holds nobody back for longer than is promised`, async () => {
        const longest = await longestMs(delivery);
        assert.ok(delivery.retry > 0, 'what fails once is tried again');
        assert.ok(longest <= (clocks[name] ?? promised.held), `${longest} ms for one event`);
      });

      it(`to ${name} leaves its function time to start and to answer`, () => {
        const { timeoutMs = 0 } = delivery;
        const fn = functions.find((one) => subscriber.kind === 'function' && one.name === subscriber.name);
        assert.ok(fn);
        const { handlerDeadlineSeconds } = configOf(fn);
        assert.ok(timeoutMs >= promised.leastTimeout, `${timeoutMs} ms`);
        assert.ok(
          timeoutMs >= handlerDeadlineSeconds * 1000 + promised.wake,
          `${handlerDeadlineSeconds} s of ${timeoutMs} ms`,
        );
        assert.ok(timeoutMs < fn.timeoutSeconds * 1000, 'the Broker gives up before Knative Serving does');
      });
    }

    for (const fn of functions) {
      it(`${fn.name} can tell that one call to the API server failed before its own time is up`, () => {
        const { apiTimeoutSeconds, handlerDeadlineSeconds } = configOf(fn);
        assert.ok(apiTimeoutSeconds < handlerDeadlineSeconds, `${apiTimeoutSeconds} s of ${handlerDeadlineSeconds}`);
      });
    }
  });
}

/** As a function of the manifests reads its time-outs. */
function configOf({ env }: FunctionSpec) {
  const names = ['API_TIMEOUT_SECONDS', 'HANDLER_DEADLINE_SECONDS'] as const;
  return readConfig(Object.fromEntries(names.map((name) => [name, env[name]])));
}

/** How long one event is tried that is never answered. */
async function longestMs(delivery: Delivery): Promise<number> {
  let ms = 0;
  const silence = async () => {
    ms += delivery.timeoutMs ?? Number.POSITIVE_INFINITY;
    return { kind: 'refused', again: true, status: 0, why: 'no answer' } as const;
  };
  const sleep = async (wait: number): Promise<void> => {
    ms += wait;
  };
  await tryOften(silence, delivery, { sleep, signal: new AbortController().signal });
  return ms;
}
