import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { isNotice, isRead } from '../oracles/accessors.ts';

/** What a change costs from when it is made until all is at rest. */
export interface Cost {
  /** Reads of the API server; a list counts once, whatever its pages. */
  readonly reads: number;
  readonly writes: number;
  /** Writes that were refused because somebody else had been first. */
  readonly conflicts: number;
  /** Kubernetes Events for people. */
  readonly events: number;
  /** Events that a function was woken by. */
  readonly answers: number;
}

/** Sums what was asked for all events of the source, and for those that functions sent for them: neither the resync nor what it asks after is counted. */
export function costOf({ answers, calls }: Trace): Cost {
  const told = answers.filter(({ event }) => event.type.startsWith('dev.knative.apiserver.'));
  const ids = told.map(({ event }) => event.id);
  const asked = answers.filter(({ event }) => ids.some((id) => event.id.startsWith(`${id}/`)));
  const own = [...told, ...asked];
  const runs = new Set(own.map(({ run }) => run));
  const made = calls.filter(({ run, query }) => runs.has(run) && query['continue'] === undefined);
  const writes = made.filter((call) => !isRead(call) && !isNotice(call));
  return {
    reads: made.filter((call) => isRead(call)).length,
    writes: writes.length,
    conflicts: writes.filter(({ seen }) => seen.status === 409).length,
    events: made.filter(({ resource, verb }) => resource === 'events' && verb === 'create').length,
    answers: own.length,
  };
}
