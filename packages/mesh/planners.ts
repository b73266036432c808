import { functions } from '../../functions/table.ts';
import { wants } from './broker/trigger-filter.ts';
import type { CloudEvent } from './cloud-event.ts';
import type { MeshSpec } from './mesh-spec.ts';

/** The functions that the Triggers would wake for an event and that can say what they would write: those that reconcile. */
export function plannersOf({ triggers }: Pick<MeshSpec, 'triggers'>, event: CloudEvent): readonly string[] {
  const woken = triggers.filter(({ filters, subscriber }) => subscriber.kind === 'function' && wants(filters, event));
  return woken.flatMap(({ subscriber }) => {
    // The path is the stem where a Service serves several.
    const stem = subscriber.kind === 'function' ? (subscriber.path?.slice(1) ?? subscriber.name) : '';
    return makesPlans(stem) ? [stem] : [];
  });
}

/** Whether a function takes `?dryRun=All`. */
export function makesPlans(stem: string): boolean {
  const row: { readonly wakes: string } | undefined = Object.hasOwn(functions, stem)
    ? functions[stem as keyof typeof functions]
    : undefined;
  return row?.wakes === 'change';
}
