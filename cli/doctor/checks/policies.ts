import { type Found, ok, unchecked, warning } from '../../../packages/controller/doctor/finding.ts';
import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { again } from '../mend.ts';
import { at, isMesh, type Seen, type Wanted } from '../seen.ts';

/** Each policy of deploy/admission, and what is allowed without it. */
const policies = [
  {
    name: 'knudge-itself',
    why: 'anyone who gets the token of a function can make and change objects that no function makes',
  },
  {
    name: 'knudge-children',
    why: 'other people and controllers can change and delete what Knudge made, until Knudge repairs it',
  },
  {
    name: 'knudge-claims',
    why: 'anyone who may write Claims can take hosts and ports from the services that hold them',
  },
] as const;

/** Checks that each admission policy is there, covers the functions of this namespace and refuses. A mesh has none. */
export function judgePolicies(seenAll: Seen, wanted: Wanted): readonly Found[] {
  const { policies: seen } = seenAll;
  if ('why' in seen) return [unchecked(`the admission policies (${seen.why})`)];
  const { value } = seen;
  if (value === undefined || (value.length === 0 && isMesh(seenAll))) return [];
  return policies.map(({ name, why }) => {
    const { namespace } = wanted;
    // With the overlay single-namespace each installation has its own policies.
    const own = value.find(
      (one) => one.kind === kind && isOneOf([name, `${name}.${namespace}`], one) && isAbout(namespace, one),
    );
    const file = `deploy/admission/${name.replace('knudge-', '')}.yaml`;
    const todo = wanted.fileOf === undefined ? again : `kubectl apply -f ${file}`;
    if (own === undefined) return warning(`${kind} ${name} is not there for namespace ${namespace}`, why, todo);
    const what = `${kind} ${own.metadata.name}`;
    const isBound = value.some((one) => at(one.spec, 'policyName') === own.metadata.name && refuses(one));
    return isBound ? ok(`${what} is in force`) : warning(`${what} has no binding that refuses`, why, todo);
  });
}

const kind = 'ValidatingAdmissionPolicy';

function isOneOf(names: readonly string[], { metadata }: Thing): boolean {
  return names.includes(metadata.name);
}

/** Its conditions name the accounts that it covers. */
function isAbout(namespace: string, { spec }: Thing): boolean {
  return JSON.stringify(at(spec, 'matchConditions') ?? []).includes(`'system:serviceaccount:${namespace}:'`);
}

function refuses({ spec }: Thing): boolean {
  const actions = at(spec, 'validationActions');
  return Array.isArray(actions) && actions.includes('Deny');
}
