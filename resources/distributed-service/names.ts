import {
  annotations as engineAnnotations,
  labels as engineLabels,
  fitted,
} from '../../packages/controller/domain/names.ts';

/** The label by which an EndpointSlice names its Service. */
export const serviceNameLabel = 'kubernetes.io/service-name';

/** Labels on the objects that Knudge makes for a DistributedService, and labels of people that it reads. */
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

/** Labels on a Claim, one for each service that holds it or waits with it: a hash of the service's name. By it the service finds the Claim. */
export const claimantPrefix = 'claimant.frp.io/';

/** Labels on the Claim of a host, one for each domain above it: a hash, by which a wildcard finds the Claim. */
export const underPrefix = 'under.frp.io/';

/** Labels on the balanced Service: the workload that the service scales and, from older versions, the hosts and ports that it claims. */
export const claimPrefix = 'claim.frp.io/';

/** Annotations on the objects that Knudge makes for a DistributedService, and annotations of people that it reads. */
export const annotations = {
  ...engineAnnotations,
  /** On the Pod template of a tunnel: a hash of the files whose change needs a restart. */
  restartHash: 'knudge.dev/restart-hash',
  /** On the Pod template of a tunnel: the digest of the identity token that the Pod mounts. */
  identity: 'knudge.dev/identity',
  /** On the Secret with an identity token: the FRP server that it is shown to. */
  server: 'knudge.dev/server',
  /** On the configuration of a tunnel that is published: a hash of the Claims that it was made for. */
  claims: 'knudge.dev/claims',
  /** On the Pod of a tunnel: the version of the endpoints (that of eds.json) that its kubelet should mount. */
  endpoints: 'knudge.dev/endpoints',
  /** On the Secret with an authority, set by a person: Knudge makes a successor if the authority is older than this time (RFC 3339). */
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
