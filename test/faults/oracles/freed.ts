import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { pick } from '../../../packages/controller/testing/trace-words.ts';
import { byRuns } from './accessors.ts';

/** A Claim that was let go, and is kept for a minute: no event reports its end, so the resync after it takes it away. */
export function isLetGo({ kind, spec }: KubeObject & { readonly spec?: unknown }): boolean {
  return kind === 'Claim' && pick(spec, 'state') === 'Released';
}

/** Runs that took such a Claim away; with that goes the status of the service that had it. */
export function freeingRuns({ changes }: Trace): ReadonlySet<number> {
  const frees = byRuns(changes).filter(({ object, type }) => type === 'DELETED' && isLetGo(object));
  return new Set(frees.map(({ by }) => by.run));
}
