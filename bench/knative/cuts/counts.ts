import type { Site } from '../../../test/knative/site.ts';
import { podsOf } from './pods.ts';

/** The requests of functions to the API server, by their own metrics. */
export interface Counts {
  readonly reads: number;
  readonly writes: number;
  /** Writes that met a conflict. */
  readonly conflicts: number;
}

/** Reads the metrics of each Pod of these Services. The figures of a Pod that has gone meanwhile stay as they were. */
export function tallyOf(site: Site, services: readonly string[]) {
  const known = new Map<string, Counts>();
  return {
    read: async (): Promise<Counts> => {
      for (const { metadata, status } of await podsOf(site, services)) {
        const text = await metricsAt(status?.podIP);
        if (text !== undefined) known.set(metadata.name, countsIn(text));
      }
      return [...known.values()].reduce(plus, { reads: 0, writes: 0, conflicts: 0 });
    },
  };
}

/** The difference of two counts. */
export function minus(all: Counts, before: Counts): Counts {
  return {
    reads: all.reads - before.reads,
    writes: all.writes - before.writes,
    conflicts: all.conflicts - before.conflicts,
  };
}

function plus(one: Counts, other: Counts): Counts {
  return {
    reads: one.reads + other.reads,
    writes: one.writes + other.writes,
    conflicts: one.conflicts + other.conflicts,
  };
}

/** Undefined if it does not listen yet, or no longer. */
async function metricsAt(address: string | undefined): Promise<string | undefined> {
  if (address === undefined) return undefined;
  try {
    const answer = await fetch(`http://${address}:8080/metrics`, { signal: AbortSignal.timeout(5000) });
    return answer.ok ? await answer.text() : undefined;
  } catch {
    return undefined;
  }
}

/** The verbs of reads; `ask` is a question that is not stored, such as a SubjectAccessReview. */
const reading = ['get', 'list', 'ask'];

/** The requests in a page of metrics. */
export function countsIn(text: string): Counts {
  let counts: Counts = { reads: 0, writes: 0, conflicts: 0 };
  for (const [, verb = '', code, value] of text.matchAll(
    /^knudge_api_requests_total\{verb="(\w+)",code="(\d+)"\} (\d+)$/gm,
  )) {
    const count = Number(value);
    const isRead = reading.includes(verb);
    counts = plus(counts, {
      reads: isRead ? count : 0,
      writes: isRead ? 0 : count,
      conflicts: code === '409' ? count : 0,
    });
  }
  return counts;
}
