import type { EventHandler } from '../src/domain/ports.ts';
import { timeOf } from '../src/domain/time.ts';
import { distributedService, message } from '../src/parents/kinds.ts';
import { continuationOf, cursorIn } from '../src/resync/cursor.ts';
import { childKinds } from '../src/resync/orphans.ts';
import { announceParents } from '../src/resync/page.ts';
import { remember } from '../src/resync/remember.ts';

const kinds = [distributedService, message];

/** It is time to ask after every parent: one event for each, and a continuation as the answer where that takes longer. */
export const resyncDue: EventHandler = async (received, context) => {
  const time = (): string => timeOf(context.now() / 1000);
  const from = cursorIn(received, [...kinds, ...childKinds], time());
  const { pages, sent, failed, whole, next } = await announceParents(from, { ...context, kinds, childKinds });
  await remember(whole, context);
  const outcome = { result: 'done', reads: pages, writes: 0, events: { sent, failed } } as const;
  return next === undefined ? outcome : { ...outcome, reply: continuationOf(next, time()) };
};
