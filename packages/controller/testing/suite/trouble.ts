import { rowKind } from '../../functions/change-rows.ts';
import type { Fault } from '../fault.ts';
import { type Boundary, boundariesOf, faultAt, nameOf } from '../kinds/boundaries.ts';
import type { Sight } from '../kinds/kind.ts';
import { kinds } from '../kinds/kinds.ts';
import { sights } from '../kinds/sights.ts';
import type { Trace } from '../trace.ts';
import type { FaultSuite } from './suite.ts';

/** One thing that goes wrong in a run. */
export interface Trouble {
  /** As `W14-500`. */
  readonly fault: string;
  /** The call or the event. */
  readonly at: string;
  /** At an API call. */
  readonly faults: readonly Fault[];
  /** At an event, by its number from 0 on its way to the Broker. */
  readonly event?: { readonly nth: number; readonly fate: 'lost' | 'twice' };
  /** Before this API call, from 0, a second process gets the same event and carries it out. */
  readonly twinAt?: number;
  /** Somebody did what stays done: the end is another than without it. */
  readonly altersEnd: boolean;
}

/** What stays: an object of somebody else's in the place of a child, a parent or an input that is gone. */
const lasting: ReadonlySet<Sight> = new Set([
  'taken-by-another',
  'replaced',
  'input-gone',
  'parent-deleted',
  'parent-recreated',
]);

/**
 * Every single thing that can go wrong in a run that was played without: at each call one fault of each sort that a
 * handler or the cluster can tell apart (kinds/sights.ts), a second process, and at each event its loss and its coming twice.
 */
export function troublesOf(
  { trace, events }: { readonly trace: Trace; readonly events: readonly string[] },
  { resources }: Pick<FaultSuite, 'resources'>,
): readonly Trouble[] {
  const isParent = (ref: Parameters<typeof rowKind>[0]): boolean =>
    resources.some((resource) => rowKind(resource) === rowKind(ref));
  const boundaries = boundariesOf(trace, isParent);
  return [
    ...boundaries.flatMap(atCall),
    ...boundaries.map((boundary, twinAt) => ({ ...quiet, fault: 'second-process', at: nameOf(boundary), twinAt })),
    ...events.flatMap((at, nth) =>
      (['lost', 'twice'] as const).map((fate) => ({ ...quiet, fault: `event-${fate}`, at, event: { nth, fate } })),
    ),
  ];
}

const quiet = { faults: [], altersEnd: false } as const;

function atCall(boundary: Boundary): readonly Trouble[] {
  const { call } = boundary;
  return kinds
    .filter((kind) => kind.appliesTo(call) && sights[kind.sees(call)].by === kind.id)
    .map((kind) => ({
      fault: kind.id,
      at: nameOf(boundary),
      faults: [faultAt(boundary, kind)],
      altersEnd: lasting.has(kind.sees(call)),
    }));
}
