import { type Found, ok, problem } from '../finding.ts';
import { conditionOf, nameOf, sameAs, type Thing } from '../seen.ts';

/** What follows where one of these is missing or not ready, and what makes it. */
export interface Meaning {
  readonly why: string;
  readonly make: (one: Thing) => string;
}

/** Whether each of the wanted objects is there and says of itself that it is ready. */
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
