import type { Look, Looked } from '../../packages/controller/cluster/look.ts';
import { resourceName } from '../../packages/controller/cluster/paths.ts';
import type { OwnChecks, OwnSeen, Read, Thing } from '../../packages/controller/doctor/own-checks.ts';
import { groupOf } from '../../packages/controller/domain/kube-object.ts';
import { type Right, rightsOf } from '../../packages/controller/domain/rights.ts';
import type { Controller } from '../../packages/controller/functions/define-controller.ts';
import { apis, namespaces } from './knative-parts.ts';
import { readLog } from './read-log.ts';
import { type Allowed, at, type Lists, type LogSeen, type Seen, type Wanted, wantedOf } from './seen.ts';
import { trying } from './trying.ts';

export interface ReadWith {
  readonly look: Look;
  /** Why a TCP connection cannot be opened; undefined if it can. */
  readonly reach: (host: string, port: number) => Promise<string | undefined>;
  /** The number of open dead letters; fails if there is no log. */
  readonly countDeadLetters: () => Promise<number>;
  /** Asks the event log whether it is ready, and for its gaps; fails if there is no log. */
  readonly askLog: () => Promise<LogSeen>;
  /** Seconds since 1970. */
  readonly now: number;
  /** The custom resources of the controller. */
  readonly resources: Controller['resources'];
  readonly checks: OwnChecks;
}

interface Listing {
  readonly kinds: readonly Looked[];
  /** The namespace; Knudge's own if absent. */
  readonly namespace?: string;
  readonly everywhere?: true;
  readonly labelSelector?: string;
}

const deployment = kind('apps/v1', 'Deployment');

const listings: Readonly<Record<Exclude<keyof Lists, 'parents'>, Listing>> = {
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
};

/** The plural of each of these kinds is the kind with an s. */
function kind(apiVersion: string, name: string): Looked {
  return { apiVersion, kind: name, plural: `${name.toLowerCase()}s` };
}

/** Reads everything that the checks need. Writes nothing; for what may not be read it gives the reason. */
export async function readAll(parts: ReadWith, wanted: Wanted): Promise<Seen> {
  const { look, now, countDeadLetters, askLog, checks } = parts;
  const lists = await readLists(look, wanted.namespace, listingsOf(parts.resources));
  const own = await readOwn(look, checks);
  return {
    ...lists,
    brokerConfigs: await addInstallation(lists.brokerConfigs, look),
    now,
    allowed: await trying(() => askAccess(look, wanted)),
    own: { lists: own, unreachable: await reachAll(checks.addresses?.(own) ?? [], parts) },
    ...(await readLog(countDeadLetters, askLog)),
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

/** The lists of every controller, and the custom resources of this one. */
function listingsOf(resources: Controller['resources']): Readonly<Record<keyof Lists, Listing>> {
  const kinds = resources.map(({ apiVersion, kind: name }) => {
    const one = { apiVersion, kind: name };
    return { ...one, plural: resourceName({ ...one, namespace: '' }) };
  });
  return { ...listings, parents: { kinds, everywhere: true } };
}

async function readOwn(look: Look, { lists = {} }: OwnChecks): Promise<OwnSeen['lists']> {
  const read = Object.entries(lists).map(async ([name, { labelSelector, ...one }]) => {
    const query = labelSelector !== undefined ? { labelSelector } : {};
    return [name, await trying(() => look.list(one, query))] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

async function readLists(look: Look, own: string, all: ReturnType<typeof listingsOf>): Promise<ReadLists> {
  const read = async (name: keyof Lists): Promise<[string, Read<readonly Thing[]>]> => {
    const { kinds, namespace = own, everywhere, labelSelector } = all[name];
    const query = { ...(!everywhere && { namespace }), ...(labelSelector !== undefined && { labelSelector }) };
    return [name, await trying(async () => (await Promise.all(kinds.map((one) => look.list(one, query)))).flat())];
  };
  const names = Object.keys(all) as (keyof Lists)[];
  return Object.fromEntries(await Promise.all(names.map(read))) as unknown as ReadLists;
}

/** Adds the channel config of Knative's installation, which a Broker uses that names no ConfigMap. */
async function addInstallation(configs: Read<readonly Thing[]>, look: Look): Promise<Read<readonly Thing[]>> {
  const own = 'why' in configs ? [] : configs.value;
  const at = { namespace: namespaces['Knative Eventing'], name: 'config-br-default-channel' };
  const found = await trying(() => look.get(kind('v1', 'ConfigMap'), at));
  return { value: 'why' in found || found.value === undefined ? own : [...own, found.value] };
}

/** Asks whether the ServiceAccount of each source may read what it watches. For Knudge's own source its roles say it. */
async function askAccess(look: Look, wanted: Wanted): Promise<readonly Allowed[]> {
  const { namespace, objects } = wanted;
  const ofKnative = wantedOf(wanted, 'sources.knative.dev', 'ApiServerSource').flatMap(({ spec }) => {
    const name = at(spec, 'serviceAccountName');
    if (typeof name !== 'string') return [];
    const resources = (at(spec, 'resources') ?? []) as readonly {
      readonly apiVersion: string;
      readonly kind: string;
    }[];
    // Without a selector a source watches its own namespace.
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
    verb,
    group: groupOf(apiVersion),
    resource,
    subresource: '',
    name: '',
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
  addresses: readonly { readonly host: string; readonly port: number }[],
  { reach }: Pick<ReadWith, 'reach'>,
): Promise<ReadonlyMap<string, string | undefined>> {
  const tried = addresses.map(async ({ host, port }) => [`${host}:${port}`, await reach(host, port)] as const);
  return new Map(await Promise.all(tried));
}
