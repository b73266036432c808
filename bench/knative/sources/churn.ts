import { setTimeout as sleep } from 'node:timers/promises';
import type { Writer } from './writer.ts';

/** The final state of one Message: several may have had its name one after the other. */
export interface Truth {
  readonly name: string;
  /** Its last version; of a deleted one the last before its deletion. */
  readonly version: string;
  readonly isGone: boolean;
}

export interface Churn {
  readonly changes: number;
  /** Keyed by uid. */
  readonly truth: ReadonlyMap<string, Truth>;
}

const names = Array.from({ length: 40 }, (_, number) => `churn-${String(number)}`);
const everyMs = 250;

/** Numbers from 0 to 1 that follow from the seed: mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Makes, changes and removes Messages, four times a second, until it is stopped; returns the final state then. */
export function startChurn(writer: Writer, seed: number): () => Promise<Churn> {
  const random = randomFrom(seed);
  const present = new Map<string, string>();
  const truth = new Map<string, Truth>();
  let changes = 0;
  let isOver = false;
  const step = async (): Promise<void> => {
    const name = names[Math.floor(random() * names.length)] ?? '';
    const uid = present.get(name);
    const isRemoved = random() < 1 / 3;
    changes += 1;
    if (uid !== undefined && isRemoved) {
      await writer.remove(name);
      present.delete(name);
      truth.set(uid, { name, version: truth.get(uid)?.version ?? '', isGone: true });
      return;
    }
    const words = `change ${String(changes)}`;
    const written = await (uid === undefined ? writer.make(name, words) : writer.change(name, words));
    present.set(name, written.uid);
    truth.set(written.uid, { name, version: written.version, isGone: false });
  };
  const running = (async () => {
    for (let next = performance.now() + everyMs; !isOver; next += everyMs) {
      await step();
      await sleep(Math.max(0, next - performance.now()));
    }
  })();
  // The caller gets a failure when it ends the changes.
  running.catch(() => undefined);
  return async () => {
    isOver = true;
    await running;
    return { changes, truth };
  };
}
