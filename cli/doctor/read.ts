import type { Look, Looked } from '../../packages/controller/cluster/look.ts';
import { resourceName } from '../../packages/controller/cluster/paths.ts';
import { asKnudgeError } from '../../packages/controller/domain/errors.ts';
import { groupOf } from '../../packages/controller/domain/kube-object.ts';
import { labels } from '../../packages/controller/domain/names.ts';
import { type Right, rightsOf } from '../../packages/controller/domain/rights.ts';
import { parseServerProfile } from '../../resources/distributed-service/frp/server-profile.ts';
import { parentKinds } from '../../resources/managed/kinds.ts';
import { apis, namespaces } from './knative-parts.ts';
import { type Allowed, at, type Lists, type Read, type Seen, type Thing, type Wanted, wantedOf } from './seen.ts';

export interface ReadWith {
  readonly look: Look;
  /** Why a TCP connection cannot be opened; undefined where it can. */
  readonly reach: (host: string, port: number) => Promise<string | undefined>;
  /** How many dead letters are open; fails where there is no log. */
  readonly countDeadLetters: () => Promise<number>;
  /** Seconds since 1970. */
  readonly now: number;
}

interface Listing {
  readonly kinds: readonly Looked[];
  /** Absent: that of Knudge. */
  readonly namespace?: string;
  readonly everywhere?: true;
  readonly labelSelector?: string;
}

const deployment = kind('apps/v1', 'Deployment');

const listings: Readonly<Record<keyof Lists, Listing>> = {
  definitions: { kinds: [kind('apiextensions.k8s.io/v1', 'CustomResourceDefinition')], everywhere: true },
  sources: { kinds: ['ApiServerSource', 'ContainerSource'].map((one) => kind('sources.knative.dev/v1', one)) },
  pings: { kinds: [kind('sources.knative.dev/v1', 'PingSource')] },
  adapters: { kinds: [kind('v1', 'Pod')], labelSelector: 'eventing.knative.dev/sourceName' },
  adapterDeployments: { kinds: [deployment], labelSelector: 'eventing.knative.dev/sourceName' },
  eventingDeployments: { kinds: [deployment], namespace: namespaces['Knative Eventing'] },
  servingDeployments: { kinds: [deployment], namespace: namespaces['Knative Serving'] },
  // Each networking layer for Knative has this label; their namespaces differ.
  ingressDeployments: {
    kinds: [deployment],
    everywhere: true,
    labelSelector: 'networking.knative.dev/ingress-provider',
  },
  brokers: { kinds: [kind('eventing.knative.dev/v1', 'Broker')] },
  brokerConfigs: { kinds: [kind('v1', 'ConfigMap')] },
  triggers: { kinds: [kind('eventing.knative.dev/v1', 'Trigger')] },
  channels: {
    kinds: ['InMemoryChannel', 'Subscription'].map((one) => kind('messaging.knative.dev/v1', one)),
  },
  functions: { kinds: [kind('serving.knative.dev/v1', 'Service')] },
  roles: {
    kinds: ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'].map((one) =>
      kind('rbac.authorization.k8s.io/v1', one),
    ),
    everywhere: true,
  },
  accounts: { kinds: [kind('v1', 'ServiceAccount')] },
  leases: { kinds: [kind('coordination.k8s.io/v1', 'Lease')] },
  profiles: { kinds: [kind('v1', 'ConfigMap')], everywhere: true, labelSelector: labels.serverProfile },
  parents: {
    kinds: parentKinds.map((one) => ({ ...one, plural: resourceName({ ...one, namespace: '' }) })),
    everywhere: true,
  },
};

/** Each plural here is its kind and an s. */
function kind(apiVersion: string, name: string): Looked {
  return { apiVersion, kind: name, plural: `${name.toLowerCase()}s` };
}

/** Reads everything that the checks look at. Writes nothing; what may not be read says why. */
export async function readAll(parts: ReadWith, wanted: Wanted): Promise<Seen> {
  const { look, now, countDeadLetters } = parts;
  const lists = await readLists(look, wanted.namespace);
  return {
    ...lists,
    brokerConfigs: await addInstallation(lists.brokerConfigs, look),
    now,
    allowed: await trying(() => askAccess(look, wanted)),
    unreachable: await reachAll('why' in lists.profiles ? [] : lists.profiles.value, parts),
    openDeadLetters: await trying(countDeadLetters),
    policies: await trying(() => readPolicies(look)),
    unserved: await trying(() => readUnserved(look)),
  };
}

async function readPolicies(look: Look): Promise<readonly Thing[] | undefined> {
  const api = 'admissionregistration.k8s.io/v1';
  if (!(await look.serves(api))) return undefined;
  const policy = { apiVersion: api, kind: 'ValidatingAdmissionPolicy', plural: 'validatingadmissionpolicies' };
  const lists = [policy, kind(api, 'ValidatingAdmissionPolicyBinding')].map((one) => look.list(one));
  return (await Promise.all(lists)).flat();
}

async function readUnserved(look: Look): Promise<readonly string[]> {
  const asked = Object.keys(apis).map(async (api) => ((await look.serves(api)) ? [] : [api]));
  return (await Promise.all(asked)).flat();
}

type ReadLists = { readonly [List in keyof Lists]: Read<Lists[List]> };

async function readLists(look: Look, own: string): Promise<ReadLists> {
  const read = async (name: keyof Lists): Promise<[string, Read<readonly Thing[]>]> => {
    const { kinds, namespace = own, everywhere, labelSelector } = listings[name];
    const query = { ...(!everywhere && { namespace }), ...(labelSelector !== undefined && { labelSelector }) };
    return [name, await trying(async () => (await Promise.all(kinds.map((one) => look.list(one, query)))).flat())];
  };
  const names = Object.keys(listings) as (keyof Lists)[];
  return Object.fromEntries(await Promise.all(names.map(read))) as unknown as ReadLists;
}

/** The channel of a Broker that names no ConfigMap is that of Knative's installation. */
async function addInstallation(configs: Read<readonly Thing[]>, look: Look): Promise<Read<readonly Thing[]>> {
  const own = 'why' in configs ? [] : configs.value;
  const at = { namespace: namespaces['Knative Eventing'], name: 'config-br-default-channel' };
  const found = await trying(() => look.get(kind('v1', 'ConfigMap'), at));
  return { value: 'why' in found || found.value === undefined ? own : [...own, found.value] };
}

/** May the ServiceAccount of each source read what the source watches? What Knudge's own watches, its roles say. */
async function askAccess(look: Look, wanted: Wanted): Promise<readonly Allowed[]> {
  const { namespace, objects } = wanted;
  const ofKnative = wantedOf(wanted, 'sources.knative.dev', 'ApiServerSource').flatMap(({ spec }) => {
    const name = at(spec, 'serviceAccountName');
    if (typeof name !== 'string') return [];
    const resources = (at(spec, 'resources') ?? []) as readonly {
      readonly apiVersion: string;
      readonly kind: string;
    }[];
    // Without a selector it watches its own namespace.
    const place = at(spec, 'namespaceSelector') === undefined ? namespace : '';
    const rights = resources.flatMap((one) => rightsToWatch(one, place).map((right) => ({ name, right })));
    return [...new Map(rights.map((one) => [JSON.stringify(one), one])).values()];
  });
  const own = wantedOf(wanted, 'sources.knative.dev', 'ContainerSource').flatMap(({ spec }) => {
    const name = at(spec, 'template', 'spec', 'serviceAccountName');
    return typeof name === 'string' ? rightsOf({ namespace, name }, objects).map((right) => ({ name, right })) : [];
  });
  return Promise.all([...ofKnative, ...own].map(({ name, right }) => ask(look, { namespace, name }, right)));
}

function rightsToWatch(
  { apiVersion, kind: name }: { readonly apiVersion: string; readonly kind: string },
  namespace: string,
): readonly Right[] {
  const resource = resourceName({ apiVersion, kind: name, namespace: '' });
  return ['get', 'list', 'watch'].map((verb) => ({
    ...{ verb, group: groupOf(apiVersion), resource, subresource: '', name: '' },
    namespace,
  }));
}

async function ask(
  look: Look,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  right: Allowed['right'],
): Promise<Allowed> {
  const { verb, group, resource } = right;
  const where = right.namespace !== '' && { namespace: right.namespace };
  const spec = {
    user: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    resourceAttributes: { verb, group, resource, ...where },
  };
  const answer = await look.ask(kind('authorization.k8s.io/v1', 'SubjectAccessReview'), { spec });
  return { who: { namespace, name }, right, allowed: at(answer, 'status', 'allowed') === true };
}

async function reachAll(
  profiles: readonly Thing[],
  { reach }: Pick<ReadWith, 'reach'>,
): Promise<ReadonlyMap<string, string | undefined>> {
  const tried = profiles.map(async (one) => {
    const profile = parseServerProfile(one);
    if ('problem' in profile) return [];
    const { address, port } = profile;
    return [[`${address}:${port}`, await reach(address, port)] as const];
  });
  return new Map((await Promise.all(tried)).flat());
}

async function trying<Value>(read: () => Promise<Value>): Promise<Read<Value>> {
  try {
    return { value: await read() };
  } catch (error) {
    return { why: asKnudgeError(error).message };
  }
}
