import type { Gap } from '../../controller/domain/event-log.ts';

/** The events that are missing from the log, as far as is known. */
export interface Missing {
  miss(missing: { readonly key: string; readonly at: number; readonly reason: string }): void;
  /** The event is in the log after all. */
  found(key: string): void;
  count(): number;
  /** What was missing by then, as a gap, and the function that forgets it once it is written. */
  until(time: number): { readonly gap: Gap | undefined; readonly forget: () => void };
}

/** This many are known by name; more are only counted, and cannot be found later. */
const mostMissing = 100_000;

/** Begins with nothing missing; times are milliseconds since 1970. */
export function createMissing(): Missing {
  const known = new Map<string, number>();
  const others = { count: 0, from: 0, to: 0 };
  let reason = '';
  return {
    miss: ({ key, at, reason: why }) => {
      reason = why;
      if (known.has(key)) return;
      if (known.size < mostMissing) return void known.set(key, at);
      if (others.count === 0) others.from = at;
      others.count += 1;
      others.to = at;
    },
    found: (key) => void known.delete(key),
    count: () => known.size + others.count,
    until: (time) => {
      const old = [...known].filter(([, at]) => at <= time);
      const more = others.count > 0 && others.to <= time ? { ...others } : { count: 0, from: 0, to: 0 };
      const events = old.length + more.count;
      if (events === 0) return { gap: undefined, forget: () => undefined };
      // The names are in the order in which they were missed, and the counted ones came last.
      const from = old[0]?.[1] ?? more.from;
      const to = Math.max(old.at(-1)?.[1] ?? 0, more.to);
      const forget = (): void => {
        for (const [key] of old) known.delete(key);
        others.count -= more.count;
      };
      return { gap: { from: timeOf(from), to: timeOf(to), events, reason }, forget };
    },
  };
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
