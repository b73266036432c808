/** The longest name that every kind of child takes: a DNS label (RFC 1123), which Services insist on. */
const longest = 63;

/** Labels and annotations that Knudge puts on what it makes, and those it listens to. */
/** How an EndpointSlice names its Service. */
export const serviceNameLabel = 'kubernetes.io/service-name';

export const labels = {
  managedBy: 'app.kubernetes.io/managed-by',
  /** On backends: the DistributedService they belong to. On our child Services too, whose EndpointSlices inherit it. */
  service: 'frp.io/service',
  /** On the Pods of a tunnel: the DistributedService whose tunnel it is. */
  tunnel: 'frp.io/tunnel',
  /** On ConfigMaps that describe an FRP server. */
  serverProfile: 'frp.io/server-profile',
  /** On the Secret with the certificate authority of a server profile. */
  authority: 'frp.io/certificate-authority',
  /** On a Secret, by whoever may write it, with the value `true`: a service or a profile that names it may use it. */
  use: 'frp.io/use',
  /** On a Claim that waits: the name of the one that it waits for. */
  claim: 'frp.io/claim',
  /** On the Claim of a wildcard: which domain of which server it is named for, as a hash. */
  wildcard: 'frp.io/wildcard',
  /** The uid of the owner: part of every selector, so that no name a tenant picks selects what is not his. */
  ownerUid: 'knudge.dev/owner-uid',
} as const;

/** Labels on a Claim by which the services find it that hold it or wait for it, each as a hash of its name. */
export const claimantPrefix = 'claimant.frp.io/';

/** Labels on the Claim of a host: the domains that it stands below, as hashes, by which a wildcard finds it. */
export const underPrefix = 'under.frp.io/';

/** Labels on the balanced Service of a service: the workload that it scales, and of versions before this what it wants at its FRP server. */
export const claimPrefix = 'claim.frp.io/';

export const annotations = {
  specHash: 'knudge.dev/spec-hash',
  /** On what had to be made or written again: which try it was in a row, and when it was made (`4 2026-01-01T00:00:00Z`). */
  tries: 'knudge.dev/tries',
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
  /** On the Lease of the resync: the event that began the round of its `renewTime`. */
  round: 'knudge.dev/round',
  /** On the same Lease: the round that is under way, as JSON (packages/controller/domain/ports.ts, `Round`). */
  underWay: 'knudge.dev/round-under-way',
} as const;

export const manager = 'knudge';
export const cleanupFinalizer = 'frp.io/cleanup';

/**
 * The Lease in the controller's namespace whose `renewTime` is when the last resync began that asked after every parent. Its
 * `acquireTime` is when the last began that a restart of a source asked for, by the event `holderIdentity`.
 */
export const resyncLease = 'knudge-resync';

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

/** Whether `childName` or `authorityName` may give this name. An object with any other name is neither a child of a service nor a certificate authority of ours. */
export function mayBeOfService(name: string): boolean {
  return name.startsWith('frp-');
}

/** `msg-<name>`: the Pod of a Message. */
export function messagePodName(name: string): string {
  return fitted(`msg-${name}`, '');
}

/** A name past 63 characters keeps its beginning and its role; a hash of the whole stands between them. */
function fitted(name: string, role: string): string {
  if (name.length <= longest) return name;
  const tail = role === '' ? `-${shortHash(name)}` : `-${shortHash(name)}-${role}`;
  return `${name.slice(0, longest - tail.length).replace(/[-.]+$/, '')}${tail}`;
}

/** FNV-1a, 64 bits, in base 36: for names and labels, where nothing depends on its being hard to invert, or to hit. */
export function shortHash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const character of text) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n);
  }
  return hash.toString(36);
}
