import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Arena, openArena } from './arena.ts';
import { openStage, type Scenario, type Stage } from './scenarios/stage.ts';
import { scenarios } from './scenarios/table.ts';

import { until } from './until.ts';
import { type AuditedWrite, auditMark, writesSince } from './writes.ts';

let arena: Arena;
let began: number;
const stages = new Map<Scenario, Stage>();
before(async () => {
  began = auditMark();
  arena = await openArena();
});
after(async () => {
  for (const stage of stages.values()) await stage.end();
  await arena.close();
  assert.deepEqual(arena.source?.failures, []);
});

/** This many at a time: events of a kind are delivered one after the other, as the Broker does it. */
const concurrency = 9;

describe('what somebody does ends as it should', { concurrency }, () => {
  for (const scenario of scenarios)
    it(scenario.name, async () => {
      const stage = await openStage(arena);
      stages.set(scenario, stage);
      await scenario.play(stage);
    });
});

const restSeconds = 60;

/** Waits until nothing was written for three seconds. */
async function comeToRest(): Promise<void> {
  let [mark, since] = [auditMark(), Date.now()];
  await until('all has come to rest', async () => {
    const writes = writesSince(mark);
    if (writes.length > 0) [mark, since] = [auditMark(), Date.now()];
    return Date.now() - since > 3000 || writes.map(nameOf);
  });
}

function nameOf({ namespace, resource, name }: AuditedWrite): string {
  return `${namespace} ${resource} ${name}`;
}

it('then nothing is written for a minute; where a webhook changes what is written, each object twice at most', async () => {
  const written = new Set(writesSince(began).map(({ namespace }) => namespace));
  for (const [{ name }, { namespace }] of stages)
    assert.ok(written.has(namespace), `the log knows nothing of: ${name}`);
  await comeToRest();
  const mark = auditMark();
  await sleep(restSeconds * 1000);
  const allowed = new Map([...stages].map(([{ writesAtRest = 0 }, { namespace }]) => [namespace, writesAtRest]));
  const times = new Map<string, number>();
  const tooMany = writesSince(mark).filter((write) => {
    const name = nameOf(write);
    times.set(name, (times.get(name) ?? 0) + 1);
    return (times.get(name) ?? 0) > (allowed.get(write.namespace) ?? 0);
  });
  assert.deepEqual(tooMany, []);
});

describe('when the trouble is over it is right, one resync later at the latest', { concurrency }, () => {
  for (const scenario of scenarios) {
    const { name, afterwards } = scenario;
    if (afterwards === undefined) continue;
    it(name, async () => {
      const stage = stages.get(scenario);
      assert.ok(stage, 'it was not played');
      await afterwards(stage);
    });
  }
});
