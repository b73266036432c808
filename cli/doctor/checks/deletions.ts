import { secondsOf } from '../../../packages/controller/domain/time.ts';
import { type Found, ok, problem, unchecked } from '../finding.ts';
import { conditionOf, nameOf, type Seen, type Thing } from '../seen.ts';

/** Seconds after which a deletion that is not through is told as blocked: that of packages/controller/decide. */
const deadline = 300;

/** Is anything on its way out for longer than it may be? */
export function judgeDeletions({ parents, now }: Seen): readonly Found[] {
  if ('why' in parents) return [unchecked(`deletions (${parents.why})`)];
  const late = parents.value.filter((one) => ageOf(one, now) >= deadline);
  if (late.length === 0) return [ok(`no deletion is past its deadline of ${deadline} s`)];
  return late.map((one) => {
    const { status, message = '' } = conditionOf(one, 'CleanupBlocked') ?? { status: 'False' };
    const { namespace, name, finalizers = [] } = one.metadata;
    return problem(
      `${nameOf(one)} has been leaving for ${ageOf(one, now)} s`,
      'its name cannot be used again, and its tunnel may still be up',
      status === 'True' && message !== ''
        ? message
        : `see what holds it (finalizers: ${finalizers.join(', ') || 'none'}): kubectl describe ${one.kind.toLowerCase()} ${name} --namespace ${namespace}`,
    );
  });
}

function ageOf({ metadata }: Thing, now: number): number {
  return metadata.deletionTimestamp === undefined ? 0 : now - secondsOf(metadata.deletionTimestamp);
}
