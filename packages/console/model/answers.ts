import type { Delivery as Reported, Written } from '../../controller/domain/delivery.ts';
import type {
  Brief,
  Cause,
  Chain,
  Change,
  Delivery,
  Effect,
  Plan,
  PlannedObject,
  PlannedWrite,
  Version,
} from './types.ts';

/** The answer of `GET /events/{seq}/chain`: docs/event-log.md. */
export interface ChainAnswer {
  readonly causes: readonly Cause[];
  readonly deliveries: readonly Became[];
  readonly cut?: true;
}

interface Became {
  readonly function: string;
  readonly made: readonly {
    readonly write: Written;
    readonly events: readonly (Brief & { readonly deliveries: readonly Became[] })[];
  }[];
}

/** The answer of `GET /objects/{kind}/{namespace}/{name}/history`. */
export interface HistoryAnswer {
  readonly versions: readonly {
    readonly event: Brief;
    readonly verb?: string;
    readonly resourceVersion?: string;
    readonly by?: { readonly manager: string };
    readonly changes: readonly FieldChange[];
    readonly causes: readonly Cause[];
    readonly deliveries: readonly Pick<Delivery, 'seq' | 'function' | 'status' | 'outcome'>[];
  }[];
  readonly next?: { readonly before: number };
}

/** The answer of `POST /plan`: docs/local-mode.md. */
export interface PlanAnswer extends Omit<Plan, 'objects' | 'leftOut'> {
  readonly objects: readonly (Omit<PlannedObject, 'writes'> & {
    readonly writes: readonly (Omit<PlannedWrite, 'changes' | 'leftOut'> & {
      readonly changes?: readonly FieldChange[];
      readonly leftOut?: number;
    })[];
  })[];
  readonly leftOut?: number;
}

interface FieldChange {
  readonly field: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

/**
 * A delivery by the place of its event, from when the function had it. The mesh, which counts tries, sees its own wait for the start
 * as a part of the time that a try took; a function that reports by itself does not.
 */
export function deliveryOf({ event, attempt, ...rest }: Reported): Delivery {
  const waited = attempt === undefined ? 0 : Math.min(rest.coldMs ?? 0, rest.ms);
  const at = new Date(Date.parse(rest.at) + waited).toISOString();
  const ms = Math.round((rest.ms - waited) * 10) / 10;
  return { ...rest, at, ms, event: event.seq ?? 0, id: event.id, attempt: attempt ?? 1 };
}

/** The causes, and the effects as a tree. */
export function chainOf({ causes, deliveries, cut }: ChainAnswer): Chain {
  return { causes, effects: effectsOf(deliveries), isCut: cut === true };
}

/** What several functions wrote; an event that shows two writes is there once. */
function effectsOf(deliveries: readonly Became[]): readonly Effect[] {
  const seen = new Set<number>();
  return deliveries.flatMap((one) =>
    one.made.flatMap(({ write, events }): readonly Effect[] => {
      if (events.length === 0) return [{ function: one.function, write, effects: [] }];
      const fresh = events.filter(({ seq }) => !seen.has(seq));
      for (const { seq } of fresh) seen.add(seq);
      return fresh.map(({ deliveries: then, ...event }) => ({
        function: one.function,
        write,
        event,
        effects: effectsOf(then),
      }));
    }),
  );
}

/** Versions, newest first, and the place before which older ones are; absent at the end. */
export interface History {
  readonly versions: readonly Version[];
  readonly before?: number;
}

/** A page of the versions of an object. */
export function historyOf({ versions, next }: HistoryAnswer): History {
  return { versions: versionsOf(versions), ...(next !== undefined && { before: next.before }) };
}

function versionsOf(versions: HistoryAnswer['versions']): readonly Version[] {
  return versions.map(({ event, verb = '', resourceVersion = '', by, changes, causes, deliveries }) => {
    const under = (part: string): readonly Change[] =>
      changes
        .filter(({ field }) => field === part || field.startsWith(`${part}/`))
        .map((change) => changeOf(change, change.field.slice(part.length)));
    return {
      seq: event.seq,
      at: event.time,
      verb,
      resourceVersion,
      manager: writerOf(by, causes),
      causes,
      deliveries,
      diff: { spec: under('/spec'), status: under('/status'), metadata: under('/metadata') },
    };
  });
}

/** A function that is known to have written it; else who wrote last by the managed fields, whose times are whole seconds. */
function writerOf(by: { readonly manager: string } | undefined, causes: readonly Cause[]): string {
  return causes.find((cause) => cause.by === 'version')?.function ?? by?.manager ?? '';
}

/** What functions would write, with each change as the pages show it. */
export function planOf({ objects, leftOut = 0, ...rest }: PlanAnswer): Plan {
  return {
    ...rest,
    leftOut,
    objects: objects.map(({ writes, ...object }) => ({
      ...object,
      writes: writes.map(({ changes, leftOut: more = 0, ...write }) => ({
        ...write,
        leftOut: more,
        ...(changes !== undefined && { changes: changes.map((change) => changeOf(change, change.field)) }),
      })),
    })),
  };
}

function changeOf({ before, after }: FieldChange, path: string): Change {
  if (before === undefined) return { op: 'add', path, value: after };
  if (after === undefined) return { op: 'remove', path, was: before };
  return { op: 'replace', path, was: before, value: after };
}
