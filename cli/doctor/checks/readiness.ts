import { type Found, ok, problem } from '../../../packages/controller/doctor/finding.ts';
import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { conditionOf, nameOf, sameAs } from '../seen.ts';

/** What follows if an object is missing or not ready, and the command that makes it. */
export interface Meaning {
  readonly why: string;
  readonly make: (one: Thing) => string;
}

/** Checks that each of the wanted objects is there and its conditions say that it is ready. */
export function judgeReadiness(
  wanted: readonly Thing[],
  found: readonly Thing[],
  { why, make }: Meaning,
): readonly Found[] {
  return wanted.map((one) => {
    const name = nameOf(one);
    const live = found.find(sameAs(one));
    if (live === undefined) return problem(`${name} is not there`, why, make(one));
    const ready = conditionOf(live, 'Ready');
    if (ready?.status === 'True') return ok(`${name} is ready`);
    const said = [ready?.reason, ready?.message].filter((text) => text !== undefined && text !== '').join(': ');
    return problem(
      `${name} is not ready${said === '' ? '' : ` (${said})`}`,
      why,
      `kubectl describe ${one.kind.toLowerCase()}.${one.apiVersion.split('/')[0]} ${one.metadata.name} --namespace ${one.metadata.namespace}`,
    );
  });
}
