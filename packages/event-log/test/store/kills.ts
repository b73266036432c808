import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { EventLog, RecordedEvent } from '../../../controller/domain/event-log.ts';
import { type LogPlace, openEventLog } from '../../store/open.ts';

const appender = fileURLToPath(new URL('./appender.ts', import.meta.url));

/** How often: more with KNUDGE_LOG_KILLS. */
const rounds = Number(process.env['KNUDGE_LOG_KILLS'] ?? 20);

export interface KillsWith {
  readonly place: LogPlace;
  /** Also kills what the appender hangs on, and has it back when it resolves; how the closing line names it. */
  readonly killStore?: (round: number) => Promise<boolean>;
  readonly isWhole?: () => void;
}

/** Kills the process that appends, again and again: what was acknowledged is there, and what is there is whole. */
export async function killOften(context: TestContext, { place, killStore, isWhole }: KillsWith): Promise<void> {
  const seed = Number(process.env['KNUDGE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
  context.diagnostic(`seed ${seed}: KNUDGE_SEED=${seed} does the same again`);
  const random = randomOf(seed);
  const totals = { acknowledged: 0, stored: 0, stores: 0 };
  let last = 0;
  for (let round = 0; round < rounds; round += 1) {
    const acknowledged = await appendUntilKilled(place, round, async () => {
      await new Promise((resolve) => setTimeout(resolve, random() * 150));
      if ((await killStore?.(round)) === true) totals.stores += 1;
    });
    const log = await openEventLog(place);
    const stored = await storedAfter(log, last);
    await log.close();
    isWhole?.();
    for (const { id, data } of stored) assert.equal((data as { check: string }).check, checkOf(id));
    const ids = new Set(stored.map(({ id }) => id));
    assert.equal(ids.size, stored.length, 'one is there twice');
    assert.deepEqual(
      acknowledged.filter((id) => !ids.has(id)),
      [],
      `round ${round}, seed ${seed}`,
    );
    last = stored.at(-1)?.seq ?? last;
    totals.acknowledged += acknowledged.length;
    totals.stored += stored.length;
  }
  assert.ok(totals.acknowledged > rounds * 10, 'too little was appended to prove anything');
  context.diagnostic(
    `counted: ${rounds} kills${killStore ? ` (${totals.stores} of the server)` : ''}, ${totals.acknowledged} acknowledged, ${totals.stored} stored, none missing`,
  );
}

export function checkOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}

async function appendUntilKilled(
  { databaseUrl, file }: LogPlace,
  round: number,
  beforeKill: () => Promise<void>,
): Promise<readonly string[]> {
  const child = spawn(process.execPath, [appender, databaseUrl, file, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const acknowledged: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => acknowledged.push(line));
  await Promise.race([once(lines, 'line'), once(child, 'exit')]);
  await beforeKill();
  child.kill('SIGKILL');
  await closed;
  // The last line may be cut off.
  return acknowledged.filter((id) => /^\d+-\d+$/.test(id)).slice(0, -1);
}

async function storedAfter(log: EventLog, last: number): Promise<readonly RecordedEvent[]> {
  const all: RecordedEvent[] = [];
  for (;;) {
    const page = await log.events({ after: all.at(-1)?.seq ?? last }, { order: 'oldest-first', limit: 500 });
    if (page.length === 0) return all;
    all.push(...page);
  }
}

/** Mulberry32: small, and the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
