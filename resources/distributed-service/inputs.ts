import type { Asking, Inputs, NamedQuery } from '../../packages/controller/decide/resource.ts';
import type { ObjectRef } from '../../packages/controller/domain/kube-object.ts';
import { tunnelPodSelector } from './children/tunnel-pod.ts';
import { workloadQueries } from './children/workload.ts';
import { claimQueries } from './claims/claim-queries.ts';
import { needsPodList, selectorText } from './discovery/backend-selector.ts';
import { parseIp } from './discovery/ip-address.ts';
import { parseServerProfile, type ServerProfile } from './frp/server-profile.ts';
import { authorityName, childName, labels, serviceNameLabel } from './names.ts';
import { problemOf } from './spec/problem.ts';
import type { DistributedService } from './types.ts';

/** The queries for a DistributedService besides its children: only those that its spec makes necessary. */
export function inputsOf(owner: DistributedService, asking: Asking): readonly NamedQuery[] {
  // A deletion needs the Pods of the tunnel and no other input, whatever the spec says by now.
  if (owner.metadata.deletionTimestamp !== undefined) return [tunnelQuery(owner)];
  // A spec that makes no sense leads to no queries: the plan says what is wrong with it.
  if (problemOf(owner.spec) !== undefined) return [];
  return [
    ...profileQueries(owner, asking),
    ...backendQueries(owner, asking),
    tunnelQuery(owner),
    ...secretQueries(owner, asking),
    ...tokenQueries(owner, asking),
    ...claims(owner, asking),
  ];
}

/** The names of the inputs. */
export const inputs = {
  ownProfiles: 'own-profiles',
  sharedProfiles: 'shared-profiles',
  authorities: 'authorities',
  suppliedCertificate: 'supplied-certificate',
  serverToken: 'server-token',
  pods: 'pods',
  services: 'services',
  slices: 'slices',
  hosts: 'hosts',
  tunnelPods: 'tunnel-pods',
} as const;

function profileQueries({ metadata, spec }: DistributedService, { controllerNamespace, found }: Asking): NamedQuery[] {
  const labelSelector = `${labels.serverProfile}=${spec.serverProfile}`;
  const profiles = (name: string, namespace: string): NamedQuery => ({
    name,
    query: { what: 'list', apiVersion: 'v1', kind: 'ConfigMap', namespace, labelSelector },
  });
  const namespace = metadata.namespace ?? '';
  const own = profiles(inputs.ownProfiles, namespace);
  const isShared = namespace !== controllerNamespace && found.get(inputs.ownProfiles)?.length === 0;
  return isShared ? [own, profiles(inputs.sharedProfiles, controllerNamespace)] : [own];
}

function backendQueries(owner: DistributedService, { found }: Asking): NamedQuery[] {
  const { metadata, spec } = owner;
  const workload = workloadQueries(owner, found);
  const namespace = metadata.namespace ?? '';
  const list = (name: string, kind: string, labelSelector: string): NamedQuery => ({
    name,
    query: {
      what: 'list',
      apiVersion: kind === 'EndpointSlice' ? 'discovery.k8s.io/v1' : 'v1',
      kind,
      namespace,
      labelSelector,
    },
  });
  const { backends } = spec;
  switch (backends.discovery) {
    case 'manual': {
      const hosts = namedHosts(owner);
      const isThere = (found.get(inputs.hosts) ?? []).some((service) => hosts.has(service.metadata.name));
      return [
        ...(hosts.size > mostNamedHosts
          ? [list(inputs.hosts, 'Service', '')]
          : [...hosts].map((name) => object(inputs.hosts, { apiVersion: 'v1', kind: 'Service', namespace, name }))),
        ...(isThere ? [list(inputs.slices, 'EndpointSlice', slicesOf(hosts))] : []),
      ];
    }
    case 'auto': {
      const ours = `${labels.service}=${metadata.name}`;
      const services = list(inputs.services, 'Service', `${ours},!${labels.ownerUid}`);
      const names = (found.get(inputs.services) ?? []).map((service) => service.metadata.name);
      const slices = names.length > 0 ? [list(inputs.slices, 'EndpointSlice', slicesOf(names))] : [];
      return [list(inputs.pods, 'Pod', ours), services, ...slices, ...workload];
    }
    case 'selector': {
      if (needsPodList(backends.selector ?? {})) return [list(inputs.pods, 'Pod', selectorText(spec)), ...workload];
      const slices = `${serviceNameLabel}=${childName(metadata.name, 'backends')}`;
      return [list(inputs.slices, 'EndpointSlice', slices), ...workload];
    }
  }
}

/** The EndpointSlices of these Services. Those that Kubernetes makes have all labels of their Service, those that people make only this one. */
function slicesOf(services: Iterable<string>): string {
  return `${serviceNameLabel} in (${[...services].sort().join(',')})`;
}

/** Up to this many Services are read one by one. For more, one list of the namespace is cheaper. */
export const mostNamedHosts = 8;

/** The Services that the endpoints of a spec name. */
function namedHosts({ spec }: DistributedService): ReadonlySet<string> {
  const hosts = (spec.backends.endpoints ?? []).map(({ host }) => host);
  return new Set(hosts.filter((host) => parseIp(host) === undefined));
}

function tunnelQuery(owner: DistributedService): NamedQuery {
  const namespace = owner.metadata.namespace ?? '';
  const labelSelector = tunnelPodSelector(owner);
  return { name: inputs.tunnelPods, query: { what: 'list', apiVersion: 'v1', kind: 'Pod', namespace, labelSelector } };
}

function secretQueries(owner: DistributedService, asking: Asking): NamedQuery[] {
  const { metadata, spec } = owner;
  const { enabled, autoGenerate, secretName } = spec.security.mtls;
  if (!enabled) return [];
  if (autoGenerate) {
    const home = profileHome(owner, asking);
    // The authority lies beside the profile.
    return home === undefined ? [] : [object(inputs.authorities, authorityRef(home, spec.serverProfile))];
  }
  if (secretName === undefined) return [];
  const ref = { apiVersion: 'v1', kind: 'Secret', namespace: metadata.namespace ?? '', name: secretName };
  return [object(inputs.suppliedCertificate, ref)];
}

/** A query for the labels of the Secret with the token of a server without the gate: they say whether it may be used. Its data are not read. */
function tokenQueries(owner: DistributedService, { found }: Asking): NamedQuery[] {
  const profile = profileIn(found);
  if (profile?.login.kind !== 'token') return [];
  const ref = tokenRef(owner, profile.login.secretName);
  return [{ name: inputs.serverToken, query: { what: 'object', ref, metadataOnly: true } }];
}

/** The profile; undefined unless exactly one was found and makes sense. */
function profileIn(found: Inputs): ServerProfile | undefined {
  const [configMap, second] = [inputs.ownProfiles, inputs.sharedProfiles].flatMap((name) => found.get(name) ?? []);
  const profile = configMap && second === undefined ? parseServerProfile(configMap) : undefined;
  return profile === undefined || 'problem' in profile ? undefined : profile;
}

function claims(owner: DistributedService, asking: Asking): readonly NamedQuery[] {
  const profile = profileIn(asking.found);
  if (profile === undefined) return [];
  const { hash, controllerNamespace } = asking;
  const server = `${profile.configMap.namespace}/${owner.spec.serverProfile}`;
  return claimQueries(owner, { profile, place: { server, hash, controllerNamespace } }, asking);
}

/** The Secret with the server's token: in the namespace of the service, also if the profile is in another. */
export function tokenRef({ metadata }: DistributedService, name: string): ObjectRef {
  return { apiVersion: 'v1', kind: 'Secret', namespace: metadata.namespace ?? '', name };
}

/** The namespace of the profile: the service's if it has one, else the controller's; undefined until the profiles were read. */
function profileHome({ metadata }: DistributedService, { controllerNamespace, found }: Asking): string | undefined {
  const own = found.get(inputs.ownProfiles);
  if (own === undefined) return undefined;
  return own.length > 0 ? metadata.namespace : controllerNamespace;
}

/** The Secret with the authority of a profile, beside the profile. */
export function authorityRef(namespace: string, profile: string): ObjectRef {
  return { apiVersion: 'v1', kind: 'Secret', namespace, name: authorityName(profile) };
}

function object(name: string, ref: ObjectRef): NamedQuery {
  return { name, query: { what: 'object', ref } };
}
