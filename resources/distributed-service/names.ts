import {
  annotations as engineAnnotations,
  labels as engineLabels,
  fitted,
} from '../../packages/controller/domain/names.ts';

/** How an EndpointSlice names its Service. */
export const serviceNameLabel = 'kubernetes.io/service-name';

/** Labels of what Knudge makes for a DistributedService, and those it listens to. */
export const labels = {
  ...engineLabels,
  /** On backends: the DistributedService they belong to. On our child Services too, whose EndpointSlices inherit it. */
  service: 'frp.io/service',
  /** On the Pods of a tunnel: the DistributedService whose tunnel it is. */
  tunnel: 'frp.io/tunnel',
  /** On ConfigMaps that describe an FRP server. */
  serverProfile: 'frp.io/server-profile',
  /** On the Secret with the certificate authority of a server profile. */
  authority: 'frp.io/certificate-authority',
  /** On a Secret, set to `true` by a person who may write it: a service or a profile that names it may use it. */
  use: 'frp.io/use',
  /** On a Claim that waits: the name of the one that it waits for. */
  claim: 'frp.io/claim',
  /** On the Claim of a wildcard: which domain of which server it is named for, as a hash. */
  wildcard: 'frp.io/wildcard',
} as const;

/** Labels on a Claim by which the services find it that hold it or wait for it, each as a hash of its name. */
export const claimantPrefix = 'claimant.frp.io/';

/** Labels on the Claim of a host: the domains that it stands below, as hashes, by which a wildcard finds it. */
export const underPrefix = 'under.frp.io/';

/** Labels on the balanced Service of a service: the workload that it scales, and of versions before this what it wants at its FRP server. */
export const claimPrefix = 'claim.frp.io/';

/** Annotations of what Knudge makes for a DistributedService, and those it listens to. */
export const annotations = {
  ...engineAnnotations,
  /** On the Pod template of a tunnel: what needs a restart when it changes. */
  restartHash: 'knudge.dev/restart-hash',
  /** On the Secret with an identity token: the FRP server that it is shown to. */
  server: 'knudge.dev/server',
  /** On the configuration of a tunnel that is published: for which claims it was made, as a hash. */
  claims: 'knudge.dev/claims',
  /** On the Pod of a tunnel: the version of the endpoints (that of eds.json) that its kubelet was told to look for. */
  endpoints: 'knudge.dev/endpoints',
  /** On the Secret with an authority, by a person: one that was made after this time is wanted (RFC 3339). */
  rotate: 'frp.io/rotate',
} as const;

export const cleanupFinalizer = 'frp.io/cleanup';

/**
 * `frp-<name>-<role>`, at most 63 characters. Every child of one kind has a role of its own and no role ends in
 * another, so that two services never share a child's name whatever they are called.
 */
export function childName(name: string, role: ChildRole): string {
  return fitted(role === 'tunnel' ? `frp-${name}` : `frp-${name}-${role}`, role);
}

/** Children of a DistributedService: one Deployment, two ConfigMaps, two Services, two Secrets. */
export const childRoles = {
  identity: { apiVersion: 'v1', kind: 'Secret' },
  tls: { apiVersion: 'v1', kind: 'Secret' },
  config: { apiVersion: 'v1', kind: 'ConfigMap' },
  endpoints: { apiVersion: 'v1', kind: 'ConfigMap' },
  backends: { apiVersion: 'v1', kind: 'Service' },
  balanced: { apiVersion: 'v1', kind: 'Service' },
  tunnel: { apiVersion: 'apps/v1', kind: 'Deployment' },
} as const;

export type ChildRole = keyof typeof childRoles;

/** `frp-<profile>-ca`: the Secret beside the server profile that holds its certificate authority. */
export function authorityName(profile: string): string {
  return fitted(`frp-${profile}-ca`, 'ca');
}
