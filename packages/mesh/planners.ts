import type { FunctionRow } from '../controller/functions/rows.ts';
import { wants } from './broker/trigger-filter.ts';
import type { CloudEvent } from './cloud-event.ts';
import type { Waking } from './manifests/waking.ts';

type Rows = Readonly<Record<string, FunctionRow>>;

/** The functions that the Triggers would wake for an event and that can plan their writes: those that reconcile. */
export function plannersOf(
  { triggers }: { readonly triggers: readonly Pick<Waking, 'filters' | 'subscriber'>[] },
  event: CloudEvent,
  functions: Rows,
): readonly string[] {
  const woken = triggers.filter(({ filters, subscriber }) => subscriber.kind === 'function' && wants(filters, event));
  return woken.flatMap(({ subscriber }) => {
    // The path is the stem if a Service serves several functions.
    const stem = subscriber.kind === 'function' ? (subscriber.path?.slice(1) ?? subscriber.name) : '';
    return makesPlans(stem, functions) ? [stem] : [];
  });
}

/** Whether a function takes `?dryRun=All`. */
export function makesPlans(stem: string, functions: Rows): boolean {
  return Object.hasOwn(functions, stem) && functions[stem]?.wakes === 'change';
}
