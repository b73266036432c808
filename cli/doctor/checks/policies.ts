import { type Found, ok, unchecked, warning } from '../finding.ts';
import { again } from '../mend.ts';
import { at, type Seen, type Thing, type Wanted } from '../seen.ts';

/** Each policy of deploy/admission, and what nobody refuses without it. */
const policies = [
  {
    name: 'knudge-itself',
    why: 'whoever gets hold of the token of a function can make and change what no function makes',
  },
  {
    name: 'knudge-children',
    why: 'other people and controllers can change and delete what Knudge made, until it mends that',
  },
  { name: 'knudge-claims', why: 'whoever may write Claims can take hosts and ports from the services that hold them' },
] as const;

/** Is each admission policy there, about the functions of this namespace, and bound so that it refuses? A mesh on this machine has none. */
export function judgePolicies({ policies: seen }: Seen, wanted: Wanted): readonly Found[] {
  if ('why' in seen) return [unchecked(`the admission policies (${seen.why})`)];
  const { value } = seen;
  if (value === undefined) return [];
  return policies.map(({ name, why }) => {
    const { namespace } = wanted;
    // With the overlay single-namespace each installation has its own.
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

/** Whom it is about stands in its conditions by name. */
function isAbout(namespace: string, { spec }: Thing): boolean {
  return JSON.stringify(at(spec, 'matchConditions') ?? []).includes(`'system:serviceaccount:${namespace}:'`);
}

function refuses({ spec }: Thing): boolean {
  const actions = at(spec, 'validationActions');
  return Array.isArray(actions) && actions.includes('Deny');
}
