import { KnudgeError } from '../domain/errors.ts';
import { type KubeObject, type ObjectRef, refOf } from '../domain/kube-object.ts';
import { fitted } from '../domain/names.ts';
import type { Observed, Plan, Write } from '../domain/plan.ts';
import { isLeaving } from './children.ts';
import type { Child, ResourceDefinition, Seen } from './defined/definition.ts';
import { type Finding, judge } from './defined/finding.ts';
import { planMended } from './defined/mended.ts';
import { planReplaced, type Work } from './defined/replaced.ts';
import { decideStatus } from './defined/status.ts';
import type { Told } from './defined/told.ts';
import { stamp } from './owned.ts';
import type { Given, Resource } from './resource.ts';

/**
 * A resource by what should be there for it. The engine does the rest: owner, labels and hash of the children, what differs, what is
 * somebody else's or on its way out, refusals, pauses between tries, the status with its conditions, and Kubernetes Events. What
 * needs every write in its own hands is a Resource with a `decide` of its own instead.
 *
 * It is called twice, `defineResource<Greeting>()({ … })`: the type of the owner is given, the roles of its children follow from the
 * definition. Throws a KnudgeError `internal` where a definition names two children that may not be changed.
 */
export function defineResource<Owner extends KubeObject>() {
  return <Role extends string>(definition: ResourceDefinition<Owner, Role>): Resource => {
    const replaces = replacedBy(definition) !== undefined;
    const { apiVersion, kind, consult, inputs = () => [], cost = () => ({ reads: 0, writes: 0 }) } = definition;
    return {
      apiVersion,
      kind,
      ...(replaces && { replaces }),
      ...(consult && { consult }),
      inputs,
      cost: (owner) => cost(owner as Owner),
      children: (owner) => namesOf(definition, owner),
      decide: (observed, given) => decide(definition, { ...observed, owner: observed.owner as Owner }, given),
    };
  };
}

/** The role of the child that may not be changed. The status has room for the tries of one: throws where a definition names two. */
function replacedBy<Owner extends KubeObject, Role extends string>(
  definition: ResourceDefinition<Owner, Role>,
): string | undefined {
  const { apiVersion, kind } = definition;
  const replaced = fixedIn(definition, { apiVersion, kind, namespace: 'any', name: 'any' });
  if (replaced.length < 2) return replaced[0];
  const roles = replaced.join(' and ');
  throw new KnudgeError(
    'internal',
    `${kind}: at most one child may never be changed, not ${roles}: give a plan of its own`,
  );
}

/** The roles of children that may not be changed. */
function fixedIn<Owner extends KubeObject, Role extends string>(
  { children }: ResourceDefinition<Owner, Role>,
  owner: ObjectRef,
): readonly string[] {
  return rolesOf(children(owner)).flatMap(([role, child]) => (child.never === 'changed' ? [role] : []));
}

type Roles<Value> = ReadonlyMap<string, Value>;

function namesOf<Owner extends KubeObject, Role extends string>(
  { children }: ResourceDefinition<Owner, Role>,
  owner: ObjectRef,
): Roles<ObjectRef> {
  const { namespace } = owner;
  return new Map(
    rolesOf(children(owner)).map(([role, { apiVersion, kind, name }]) => [
      role,
      { apiVersion, kind, namespace, name: fitted(name, '') },
    ]),
  );
}

/** What the child should be, as the object that is read under its role. */
function identified(child: Child, { apiVersion, kind, namespace, name }: ObjectRef): KubeObject {
  const { apiVersion: _, kind: __, metadata: { labels, annotations } = {}, ...fields } = child;
  // In the order in which people read an object, for plans show it.
  const metadata = {
    name,
    ...(namespace !== '' && { namespace }),
    ...(labels && { labels }),
    ...(annotations && { annotations }),
  };
  return { apiVersion, kind, metadata, ...fields };
}

function unnamed(kind: string, role: string): never {
  throw new KnudgeError('internal', `${kind}: \`desired\` has the child "${role}", which \`children\` does not name`);
}

const nothing: Plan = { writes: [], notices: [], again: false };

function decide<Owner extends KubeObject, Role extends string>(
  definition: ResourceDefinition<Owner, Role>,
  observed: Observed<Owner>,
  given: Given,
): Plan {
  const { owner, inputs } = observed;
  // It has nothing outside of the cluster: once it is being deleted the garbage collector does the rest.
  if (isLeaving(owner)) return nothing;
  const refs = namesOf(definition, refOf(owner));
  const children = Object.fromEntries(observed.children) as Seen<Owner, Role>['children'];
  const names = Object.fromEntries([...refs].map(([role, { name }]) => [role, name])) as Seen<Owner, Role>['names'];
  const seen: Seen<Owner, Role> = { owner, children, names, inputs };
  const refOfRole = (role: string): ObjectRef => refs.get(role) ?? unnamed(definition.kind, role);
  const wanted = rolesOf(definition.desired(seen, given)).flatMap(([role, child]) =>
    child === undefined ? [] : [[role, stamp(identified(child, refOfRole(role)), owner, given)] as const],
  );
  const works = worksOn(definition, { observed, wanted: new Map(wanted) }, given);
  const finding = works.map((work) => work.finding).reduce(worse, { is: 'there' });
  const writes = works.flatMap((work) => work.writes);
  const verdict = judge(finding, definition.kind, () => definition.ready(seen));
  const { status, isNews, notices } = decideStatus(
    owner as Told,
    {
      verdict,
      own: definition.status?.(verdict, seen) ?? {},
      tries: works.find(({ tries }) => tries !== undefined)?.tries,
    },
    given.now,
  );
  // Also unchanged, after a write: that it is taken proves that the owner was still the one that was read (R3).
  const told: readonly Write[] = isNews || writes.length > 0 ? [{ do: 'status', status }] : [];
  return {
    writes: [...writes, ...told],
    notices: [...works.flatMap((work) => work.notices), ...notices],
    again: false,
  };
}

/** The work on a child that may not be changed, and that on all others. */
function worksOn<Owner extends KubeObject, Role extends string>(
  definition: ResourceDefinition<Owner, Role>,
  { observed, wanted }: { readonly observed: Observed<Owner>; readonly wanted: Roles<KubeObject> },
  given: Given,
): readonly Work[] {
  const { owner, children } = observed;
  const fixed = fixedIn(definition, refOf(owner));
  const works = fixed.flatMap((role) => {
    const desired = wanted.get(role);
    return desired === undefined ? [] : [planReplaced(owner as Told, { desired, live: children.get(role) }, given)];
  });
  const isReplaced = ([role]: readonly [string, unknown]) => wanted.has(role) && fixed.includes(role);
  const [desired, there] = [[...wanted], [...children]];
  const rest = {
    desired: new Map(desired.filter((one) => !isReplaced(one))),
    observed: new Map(there.filter((one) => !isReplaced(one))),
  };
  return rest.observed.size === 0 ? works : [...works, planMended(owner, rest, given)];
}

/** From what a person must know first to what needs nobody. */
const order: readonly Finding['is'][] = ['refused', 'held', 'foreign', 'leaving', 'waiting', 'overridden', 'there'];

function worse(one: Finding, other: Finding): Finding {
  return order.indexOf(other.is) < order.indexOf(one.is) ? other : one;
}

function rolesOf<Value>(roles: Readonly<Record<string, Value>>): readonly (readonly [string, Value])[] {
  return Object.entries(roles);
}
