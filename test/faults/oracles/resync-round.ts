import { resources } from '../../../src/decide/resources.ts';
import { resyncTypes } from '../../../src/domain/change.ts';
import type { Trace, TracedAnswer, TracedCall } from '../trace.ts';
import { isOk, pick } from './accessors.ts';

/**
 * Whether a resync says that it is through and is not: a page is left, or a tick has not asked after a kind at all. What
 * is left for later must be told in an answer with an event.
 */
export function endedEarly({ stem, status, event, run }: TracedAnswer, { calls }: Trace): string | undefined {
  if (stem !== 'resync-due' || !isOk(status) || status === 200) return undefined;
  const lists = calls.filter((call) => call.run === run && call.verb === 'list');
  const unread = lists.find((list) => isLeft(list, lists));
  if (unread !== undefined) return `a page of ${unread.resource} was left, and no event goes on with it`;
  if (event.type !== resyncTypes.tick) return undefined;
  const missed = resources.find(({ kind }) => !lists.some(({ ref }) => ref.kind === kind));
  return missed && `it never asked after any ${missed.kind}, and no event goes on with it`;
}

/** A kind whose list expires more often in one round may be left to the next tick. */
const mostRestarts = 2;

/** It names a page that follows, and nobody has asked for that; or it had expired, and nobody has begun it again. */
function isLeft({ at, resource, seen }: TracedCall, lists: readonly TracedCall[]): boolean {
  if (seen.status === 410) {
    const ofKind = lists.filter((list) => list.resource === resource);
    const restarts = ofKind.filter((list) => list.seen.status === 410).length;
    return restarts <= mostRestarts && !ofKind.some((list) => list.at > at);
  }
  const next = isOk(seen.status) ? pick(seen.body, 'metadata', 'continue') : undefined;
  return typeof next === 'string' && next !== '' && !lists.some(({ query }) => query['continue'] === next);
}
