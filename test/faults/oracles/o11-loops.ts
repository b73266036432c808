import { refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Oracle, TracedChange } from '../../../packages/controller/testing/trace.ts';
import { findings, nameOf } from '../../../packages/controller/testing/trace-words.ts';
import { keyOfObject } from './accessors.ts';

/**
 * More than this many writes of one object in a minute, while nobody else changes anything, are a loop. The product's own net lets
 * twelve through and then says `Flapping`: it must not come to that in any run where nobody fights with it. The most that an
 * honest run was seen to need is in test/faults/oracles/o11-loops.test.ts.
 */
const most = { writes: 10, ms: 60_000 } as const;

/** O11: nothing goes back and forth: no object is written again and again without anybody's change. */
export const loops: Oracle = ({ changes }) => {
  const { found, say } = findings('O11');
  const told = new Set<string>();
  for (const { object, count, at } of busiest(changes)) {
    const key = keyOfObject(object);
    if (count <= most.writes || told.has(key)) continue;
    told.add(key);
    say(
      `${nameOf(refOf(object))} was written ${String(count)} times in a minute while nobody else changed anything`,
      at,
    );
  }
  return found;
};

interface Busy extends Pick<TracedChange, 'object' | 'at'> {
  /** How often it was written by runs in the minute until then. */
  readonly count: number;
}

/** Each write by a run, with how many of the same object came before it. What a person does begins the count anew. */
export function busiest(changes: readonly TracedChange[]): readonly Busy[] {
  const written = new Map<string, number[]>();
  const busy: Busy[] = [];
  for (const { at, by, ms, object } of changes) {
    if (by.who === 'user') written.clear();
    if (by.who !== 'run' || ms === undefined || unwatched.has(object.kind)) continue;
    const key = keyOfObject(object);
    const times = [...(written.get(key) ?? []).filter((time) => time > ms - most.ms), ms];
    written.set(key, times);
    busy.push({ object, at, count: times.length });
  }
  return busy;
}

/** What is told to people, and when the last resync was. */
const unwatched: ReadonlySet<string> = new Set(['Event', 'Lease']);
