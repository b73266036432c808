import { type Boundary, nameOf } from '../../../packages/controller/testing/kinds/boundaries.ts';
import { isRead } from '../../../packages/controller/testing/kinds/kind.ts';
import { kinds } from '../../../packages/controller/testing/kinds/kinds.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import type { FaultPlan } from '../plan.ts';
import { singleFaults } from './enumerate.ts';
import { kindsInPairs } from './pairs.ts';
import { distinctBoundaries, versionsIn } from './prune.ts';
import { sampleOf } from './sample.ts';

/** A scenario and its run without faults. */
export interface Row {
  readonly scenario: { readonly name: string };
  readonly clean: Pick<Trace, 'calls' | 'marks'>;
}

/** The rows whose every boundary meets every kind: one for each thing that happens to either resource. */
export const mainRows: ReadonlySet<string> = new Set([
  'create-manual',
  'change-backends-endpoints-port',
  'touch-service',
  'drift-endpoints-changed',
  'supplied-secret-changed',
  'leaf-due',
  'authority-expired',
  'delete-pending',
  'delete-terminating',
  'recreate-and-delete',
  'several-resynced',
  'message-create',
  'change-text',
  'message-pod-deleted',
  'message-delete',
  'message-recreate',
]);

export interface Choice {
  readonly plans: readonly FaultPlan[];
  readonly counts: {
    /** All API calls of all rows, and how many of them stand for themselves (prune.ts). */
    readonly calls: number;
    readonly boundaries: number;
    /** Plans of the main rows: each boundary with each kind that can hit it. */
    readonly main: number;
    /** Ways through the other rows, and their plans: each boundary of each way with each kind that differs in effect. */
    readonly ways: number;
    readonly others: number;
    /** This many of the plans of the other rows were chosen. */
    readonly chosen: number;
  };
}

/**
 * The single faults that are tried each time. A main row has all of them. The other rows are many because the specs have
 * many fields: many of them make the very same calls on the same objects and differ in what is written into these. Rows
 * that go the same way share the faults of that way, by turns; and of kinds that come to the same (sights.ts) one is
 * tried. Where even that is too much, `most` of these are drawn, of each kind as many as of any other, others for another
 * salt. What is left out: other rows with all kinds (`singleFaults` of every row with every kind is the whole).
 */
export function choosePlans(
  rows: readonly Row[],
  { most = Number.POSITIVE_INFINITY, salt = '' }: { readonly most?: number; readonly salt?: string } = {},
): Choice {
  const all = rows.map(({ scenario, clean }) => ({
    name: scenario.name,
    clean,
    boundaries: distinctBoundaries(clean),
  }));
  const main = all.filter(({ name }) => mainRows.has(name));
  const ofMain = main.flatMap(({ name, boundaries }) => singleFaults(name, boundaries, kinds));
  const ways = [
    ...Map.groupBy(
      all.filter(({ name }) => !mainRows.has(name)),
      wayOf,
    ).values(),
  ];
  const ofOthers = ways.flatMap(shared);
  const chosen = sampleOf(ofOthers, most, salt);
  return {
    plans: [...ofMain, ...chosen],
    counts: {
      calls: rows.reduce((sum, { clean }) => sum + clean.calls.filter(({ at }) => at < clean.marks.lifted).length, 0),
      boundaries: all.reduce((sum, { boundaries }) => sum + boundaries.length, 0),
      main: ofMain.length,
      ways: ways.length,
      others: ofOthers.length,
      chosen: chosen.length,
    },
  };
}

interface Way {
  readonly name: string;
  readonly boundaries: readonly Boundary[];
}

/** What is called in what order, and whether there was anything. */
function wayOf({ boundaries }: Way): string {
  return JSON.stringify(boundaries.map((boundary) => [nameOf(boundary), boundary.call.done.status]));
}

/** The plans of one way, dealt out to the rows that go it. */
function shared(rows: readonly Way[]): readonly FaultPlan[] {
  const plans = rows.map(({ name, boundaries }) =>
    withoutSameReads(boundaries).flatMap((boundary) => singleFaults(name, [boundary], kindsInPairs(boundary))),
  );
  return (plans[0] ?? []).flatMap((_, index) => plans[index % plans.length]?.slice(index, index + 1) ?? []);
}

/** A read that says the same as one before it could only be stale in the same way. */
function withoutSameReads(boundaries: readonly Boundary[]): readonly Boundary[] {
  const known = new Set<string>();
  return boundaries.filter(({ call }) => {
    if (!isRead(call)) return true;
    const { verb, resource, ref, done } = call;
    const said = JSON.stringify([verb, resource, ref, versionsIn(done)]);
    const isNew = !known.has(said);
    known.add(said);
    return isNew;
  });
}
