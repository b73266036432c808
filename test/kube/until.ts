import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until it is so, looking every 50 ms; fails with what it last saw after this many seconds. */
export async function until(what: string, isSo: () => Promise<unknown>, seconds = 30): Promise<void> {
  const end = performance.now() + seconds * 1000;
  let last: unknown;
  while (performance.now() < end) {
    try {
      last = await isSo();
      if (last === true) return;
    } catch (error) {
      last = error;
    }
    await sleep(50);
  }
  throw new Error(
    `not within ${String(seconds)} s: ${what}; last seen: ${last instanceof Error ? last.message : JSON.stringify(last)}`,
  );
}
