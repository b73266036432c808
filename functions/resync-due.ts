import type { EventHandler } from '../src/domain/ports.ts';
import { timeOf } from '../src/domain/time.ts';
import { distributedService, message } from '../src/parents/kinds.ts';
import { continuationOf, cursorIn } from '../src/resync/cursor.ts';
import { announceParents } from '../src/resync/page.ts';

const kinds = [distributedService, message];

/** It is time to ask after every parent: one event for each, and a continuation as the answer where that takes longer. */
export const resyncDue: EventHandler = async (received, context) => {
  const { pages, sent, failed, next } = await announceParents(cursorIn(received, kinds), { ...context, kinds });
  const outcome = { result: 'done', reads: pages, writes: 0, events: { sent, failed } } as const;
  return next === undefined ? outcome : { ...outcome, reply: continuationOf(next, timeOf(context.now() / 1000)) };
};
