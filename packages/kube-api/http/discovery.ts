import { createHash } from 'node:crypto';
import type { JsonObject } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import { apiVersionOf } from '../schema/kind.ts';
import type { Kinds } from '../schema/kinds.ts';
import type { Wanted } from './accept.ts';

/** GET /api, /api/v1, /apis, /apis/GROUP and /apis/GROUP/VERSION; undefined for a path that is not served. */
export function discover(path: string, { kinds, wanted }: { kinds: Kinds; wanted: Wanted }): JsonObject | undefined {
  const [root, group, version, ...more] = path.split('/').filter((part) => part !== '');
  if (more.length > 0) return undefined;
  const all = kinds.all();
  if (root === 'api') {
    if (group === undefined) return wanted.as === '' ? coreVersions() : aggregated(all.filter(isCore));
    return version === undefined ? resourceList(all.filter(isCore), group) : undefined;
  }
  const others = all.filter((kind) => !isCore(kind));
  if (group === undefined) return wanted.as === '' ? groupList(others) : aggregated(others);
  const ofGroup = others.filter((kind) => kind.group === group);
  if (ofGroup.length === 0) return undefined;
  if (version === undefined) return { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group, ofGroup) };
  return resourceList(ofGroup, version);
}

function isCore({ group }: Kind): boolean {
  return group === '';
}

function coreVersions(): JsonObject {
  return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
}

function groupList(kinds: readonly Kind[]): JsonObject {
  const groups = groupsOf(kinds).map(([group, ofGroup]) => groupOf(group, ofGroup));
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

/** The first groups in the order of the real server, the others by name. */
const firstGroups =
  'apps events.k8s.io authentication.k8s.io authorization.k8s.io autoscaling batch networking.k8s.io policy rbac.authorization.k8s.io storage.k8s.io admissionregistration.k8s.io apiextensions.k8s.io scheduling.k8s.io'.split(
    ' ',
  );

function groupsOf(kinds: readonly Kind[]): readonly (readonly [string, readonly Kind[]])[] {
  const rank = (group: string) =>
    firstGroups.includes(group) ? String(firstGroups.indexOf(group)).padStart(2, '0') : `9${group}`;
  const groups = [...new Set(kinds.map(({ group }) => group))].sort((one, other) => (rank(one) < rank(other) ? -1 : 1));
  return groups.map((group) => [group, kinds.filter((kind) => kind.group === group)]);
}

function groupOf(group: string, kinds: readonly Kind[]): JsonObject {
  const versions = versionsOf(kinds).map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { name: group, versions, preferredVersion: versions[0] ?? null };
}

/** v2 before v1 before v1beta1 before v1alpha1, as clients prefer them. */
function versionsOf(kinds: readonly Kind[]): readonly string[] {
  const rank = (version: string) => {
    const [, major = '0', stage = 'z', minor = '0'] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
    return `${stage}-${major.padStart(4, '0')}-${minor.padStart(4, '0')}`;
  };
  return [...new Set(kinds.map(({ version }) => version))].sort((one, other) => (rank(one) < rank(other) ? 1 : -1));
}

interface Part {
  readonly name: string;
  readonly kind: string;
  readonly verbs: readonly string[];
  /** Set if its group is not its parent's. */
  readonly of?: { readonly group: string; readonly version: string };
}

const readAndWrite = ['get', 'patch', 'update'];
const builtinVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const customVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

function verbsOf({ custom, kind, isReview }: Kind): readonly string[] {
  if (isReview === true) return ['create'];
  if (custom) return customVerbs;
  return kind === 'Namespace' ? builtinVerbs.filter((verb) => verb !== 'deletecollection') : builtinVerbs;
}

const tokenPart: Part = {
  name: 'token',
  kind: 'TokenRequest',
  verbs: ['create'],
  of: { group: 'authentication.k8s.io', version: 'v1' },
};

function partsOf({ kind, custom, hasStatus, scale }: Kind): readonly Part[] {
  const status = hasStatus ? [{ name: 'status', kind, verbs: readAndWrite }] : [];
  const autoscaling = { group: 'autoscaling', version: 'v1' };
  const scaled = scale === undefined ? [] : [{ name: 'scale', kind: 'Scale', verbs: readAndWrite, of: autoscaling }];
  const binding = kind === 'Pod' && !custom ? [{ name: 'binding', kind: 'Binding', verbs: ['create'] }] : [];
  const finalize = kind === 'Namespace' && !custom ? [{ name: 'finalize', kind, verbs: ['update'] }] : [];
  const token = kind === 'ServiceAccount' && !custom ? [tokenPart] : [];
  return [...binding, ...finalize, ...token, ...(custom ? [...status, ...scaled] : [...scaled, ...status])];
}

function resourceList(kinds: readonly Kind[], version: string): JsonObject | undefined {
  const served = kinds.filter((kind) => kind.version === version);
  const [first] = served;
  if (first === undefined) return undefined;
  const apiVersion = first.group === '' ? {} : { apiVersion: 'v1' };
  const resources = served.flatMap((kind) => [
    {
      name: kind.plural,
      singularName: kind.singular,
      namespaced: kind.namespaced,
      kind: kind.kind,
      verbs: verbsOf(kind),
      ...names(kind),
      ...(kind.isReview !== true && { storageVersionHash: hashOf(kind) }),
    },
    ...partsOf(kind).map((part) => ({
      name: `${kind.plural}/${part.name}`,
      singularName: '',
      namespaced: kind.namespaced,
      ...part.of,
      kind: part.kind,
      verbs: part.verbs,
    })),
  ]);
  return { kind: 'APIResourceList', ...apiVersion, groupVersion: apiVersionOf(first), resources };
}

function names({ shortNames, categories }: Kind): JsonObject {
  return { ...(shortNames.length > 0 && { shortNames }), ...(categories.length > 0 && { categories }) };
}

function hashOf(kind: Kind): string {
  const text = `${kind.group}/${kind.storageVersion}/${kind.kind}`;
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');
}

/** apidiscovery.k8s.io/v2: everything in one answer (KEP-3352). */
function aggregated(kinds: readonly Kind[]): JsonObject {
  const items = groupsOf(kinds).map(([group, ofGroup]) => ({
    metadata: group === '' ? {} : { name: group },
    versions: versionsOf(ofGroup).map((version) => ({
      version,
      resources: ofGroup.filter((kind) => kind.version === version).map(aggregatedResource),
      freshness: 'Current',
    })),
  }));
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}

function aggregatedResource(kind: Kind): JsonObject {
  // Go leaves both out for the kinds that it knows.
  const { group, version } = kind.custom ? kind : { group: '', version: '' };
  const subresources = partsOf(kind).map((part) => ({
    subresource: part.name,
    responseKind: { group, version, ...part.of, kind: part.kind },
    verbs: part.verbs,
  }));
  return {
    resource: kind.plural,
    responseKind: { group, version, kind: kind.kind },
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs: verbsOf(kind),
    ...names(kind),
    ...(subresources.length > 0 && { subresources }),
  };
}
