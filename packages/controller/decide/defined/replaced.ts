import { describe, type KubeObject, refOf } from '../../domain/kube-object.ts';
import type { Notice, Write } from '../../domain/plan.ts';
import { asTry, type Tries, waitUntil } from '../back-off.ts';
import { deletion, isLeaving } from '../children.ts';
import { belongsTo } from '../owned.ts';
import type { Given } from '../resource.ts';
import { type Fault, faultOf } from './fault.ts';
import type { Finding } from './finding.ts';
import type { Told } from './told.ts';
import { triesAfter, triesOf } from './tries.ts';

/** What there is to do about one or more children, and what is true of them. */
export interface Work {
  readonly finding: Finding;
  readonly writes: readonly Write[];
  readonly notices: readonly Notice[];
  /** Only of a child that may not be changed. */
  readonly tries?: Tries;
}

interface Pair {
  readonly desired: KubeObject;
  readonly live: KubeObject | undefined;
}

/** The work on a child that cannot be changed, as a Pod cannot: one that differs, or does nothing any more, is replaced. */
export function planReplaced(owner: Told, { desired, live }: Pair, given: Given): Work {
  const tries = triesOf(owner, desired, live);
  const { kind } = desired;
  if (given.refusal !== undefined) return { ...quiet({ is: 'refused', refusal: given.refusal }), tries };
  if (given.held !== undefined) return { ...quiet({ is: 'held', message: given.held.message }), tries };
  if (live !== undefined) {
    const names = [describe(refOf(live))];
    const belonging = belongsTo(live, owner);
    if (belonging === 'foreign') return { ...quiet({ is: 'foreign', kind, names }), tries };
    if (belonging === 'outgoing' || isLeaving(live)) return { ...quiet({ is: 'leaving', kind, names }), tries };
  }
  const fault = faultOf(desired, live, owner);
  if (fault === undefined) return { ...quiet({ is: 'there' }), tries };
  return again({ desired, live }, { fault, tries: triesAfter(tries, owner, given.now) }, given);
}

/** The next one: first the one before it must go, and after some in a row there is a pause. */
function again(
  { desired, live }: Pair,
  { fault, tries }: { readonly fault: Fault; readonly tries: Tries },
  given: Given,
): Work {
  const { kind } = desired;
  const until = waitUntil(tries, given);
  if (until !== undefined) return { ...quiet({ is: 'waiting', kind, fault, made: tries.made, until }), tries };
  const name = describe(refOf(desired));
  if (live !== undefined) {
    const [reason, note] = [`${kind}Replaced`, `Replaced ${name}: ${fault.why}`];
    const notices: readonly Notice[] = [{ type: 'Normal', reason, note, of: [refOf(live)] }];
    // Without a time the next one follows at once.
    const writes = [deletion(live, 'Background')];
    return { finding: { is: 'leaving', kind, names: [name] }, tries: { made: tries.made }, writes, notices };
  }
  const { now } = given;
  const made = tries.made + 1;
  const writes: readonly Write[] = [{ do: 'create', object: asTry(desired, made, now) }];
  return { finding: { is: 'there' }, tries: { made, last: now }, writes, notices: [] };
}

function quiet(finding: Finding): Omit<Work, 'tries'> {
  return { finding, writes: [], notices: [] };
}
