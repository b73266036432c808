import { counted } from '../cluster/counted.ts';
import { type Budget, mostBytes } from '../domain/budget.ts';
import { groupOf, type ObjectRef } from '../domain/kube-object.ts';
import type { Outcome } from '../domain/plan.ts';
import type { Handler, ReconcileHow } from '../domain/ports.ts';
import { keyOf } from '../reconcile/key.ts';
import type { Reaction } from '../server/handle-event.ts';
import { askAfterAll } from './ask-after.ts';
import { sleep } from './outside.ts';
import type { Runs } from './runs.ts';
import { tracedBy } from './traced.ts';
import { withinOf } from './within.ts';

/** A row of the table of functions. */
export interface ChangeFunction {
  readonly stem: string;
  readonly handle: Handler;
  readonly kind: string;
}

/** What a function does that changes of objects wake: its parents are made right, by runs that it shares with the others of its process. */
export function reactToChanges(
  { handle, kind }: Omit<ChangeFunction, 'stem'>,
  { parts, patiently, makeRight, plan }: Runs,
): Reaction {
  const { cluster, config, outside } = parts;
  const { controllerNamespace } = config;
  return {
    to: 'change',
    takes: (ref) => kind === `${groupOf(ref.apiVersion)}/${ref.kind}`,
    handle: async (change, { dryRun, note, traced }) => {
      const about = 'to learn whom this event concerns';
      const { reader, counts, isSpent, insistOnTime } = counted(
        tracedBy(traced, cluster),
        withinOf(mapping, { about, parts }),
      );
      const run = async (
        ref: ObjectRef,
        { asksNobody = false, wakes = false, insists = false, seen }: ReconcileHow = {},
      ): Promise<Outcome> => {
        insistOnTime();
        const news = seen === undefined ? change : { hint: seen, ...change };
        return (dryRun ? plan : makeRight)(ref, { change: news, asks: !asksNobody, wakes, insists, note, traced });
      };
      const settled = async (about: ObjectRef): Promise<void> => {
        const at = { reader, elapsed: outside.elapsed, sleep: (ms: number) => sleep(ms, outside) };
        if (!dryRun) await outside.settle?.(about, at);
      };
      const { sender } = parts;
      // A person who replays an event wants to see what comes of it.
      const hasBroker = sender !== undefined && !dryRun && change.isReplay !== true;
      const asking = hasBroker && { askAfter: askAfterAll(change, { ...parts, sender }) };
      const context = { reader, controllerNamespace, reconcile: run, settled, ...asking };
      const outcomes = await patiently(keyOf(change.ref, parts.resources), {
        isSpent,
        run: () => handle(change, context),
      });
      return [...outcomes, { result: 'ignored', reads: counts().reads, writes: 0 }];
    },
  };
}

/** To learn whom an event concerns: a list of all parents, what these use where the event may be about one of them, and a few. */
export const mapping: Budget = { reads: 140, writes: 0, bytes: mostBytes };
