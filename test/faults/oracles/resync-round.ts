import { resyncTypes } from '../../../packages/controller/domain/change.ts';
import type { Trace, TracedAnswer, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { pick } from '../../../packages/controller/testing/trace-words.ts';
import { isOk } from './accessors.ts';
import { resources } from './managed.ts';

/** A kind whose list expires more often in one round may be left to the next tick. */
const mostRestarts = 2;

/**
 * Whether a tick says that it is through and is not: it has not come to the end of a kind, or has not asked after it at
 * all. What is left for later must be named in an answer with an event.
 */
export function endedEarly({ stem, status, event, run }: TracedAnswer, { calls }: Trace): string | undefined {
  if (stem !== 'resync-due' || event.type !== resyncTypes.tick || !isOk(status) || status === 200) return undefined;
  const lists = calls.filter((call) => call.run === run && call.verb === 'list');
  for (const { kind } of resources) {
    const pages = lists.filter(({ ref }) => ref.kind === kind);
    if (pages.length === 0) return `it never asked after any ${kind}, and no event goes on with it`;
    const hasGivenUp = pages.filter(({ seen }) => seen.status === 410).length > mostRestarts;
    if (!hasGivenUp && !pages.some(isLast) && pages.some(isCut))
      return `it never came to the last ${kind}, and no event goes on with it`;
  }
  return undefined;
}

function isLast({ seen }: TracedCall): boolean {
  return isOk(seen.status) && (pick(seen.body, 'metadata', 'continue') ?? '') === '';
}

/** More follows, or nobody knows what would have. */
function isCut({ seen }: TracedCall): boolean {
  return isOk(seen.status) || seen.status === 410;
}
