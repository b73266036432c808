import type { EventLog, Gap } from '../../../controller/domain/event-log.ts';

/** A log whose writing goes as a test wants; it keeps ids and gaps only. */
export function memoryLog(how: () => 'works' | 'hangs' | Error) {
  const ids: string[] = [];
  const gaps: Gap[] = [];
  const letters: string[] = [];
  /** What hangs is let go by them. */
  const hanging: (() => void)[] = [];
  const go = async (keep: () => void): Promise<void> => {
    const way = how();
    if (way instanceof Error) throw way;
    if (way === 'hangs') await new Promise<void>((resolve) => hanging.push(resolve));
    keep();
  };
  const log: EventLog = {
    append: async ({ id }) => {
      await go(() => ids.push(id));
      return true;
    },
    appendDeadLetter: ({ id }) => go(() => letters.push(id)),
    noteGap: (gap) => go(() => gaps.push(gap)),
    sign: async () => undefined,
    appendDeliveries: () => go(() => undefined),
    mark: async () => true,
    retain: async () => 0,
    figures: async () => ({ deliveries: [], deadLetters: new Map() }),
    close: async () => undefined,
    events: async () => [],
    deadLetters: async () => [],
    gaps: async () => gaps,
    deliveries: async () => [],
    chain: async () => ({ events: [], letGo: [], head: { hash: '', gone: 0 } }),
    count: async () => 0,
  };
  return { log, ids, gaps, letters, hanging };
}
