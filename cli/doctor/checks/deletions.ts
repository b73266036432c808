import { type Found, ok, problem, unchecked } from '../../../packages/controller/doctor/finding.ts';
import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { secondsOf } from '../../../packages/controller/domain/time.ts';
import { conditionOf, nameOf, type Seen } from '../seen.ts';

/** Seconds after which an unfinished deletion is reported as blocked: the same as in packages/controller/decide. */
const deadline = 300;

/** Checks for deletions that have taken too long. */
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
