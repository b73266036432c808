import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Observed, Write } from '../../../packages/controller/domain/plan.ts';
import { claimInputs } from '../claims/claim-objects.ts';
import { markOf, sortOwn } from '../claims/claim-queries.ts';
import type { ClaimFinding } from '../claims/claims.ts';
import { exposureDigest } from '../frp/exposed-proxy.ts';
import { identityDigest, isTokenOf } from '../frp/identity-secret.ts';
import type { ProfileFinding } from '../frp/profile.ts';
import { annotations, childName } from '../names.ts';
import type { Seen } from '../seen.ts';
import type { DistributedService } from '../types.ts';

interface Made {
  readonly claims: ClaimFinding;
  readonly profile: ProfileFinding;
  /** All writes of this pass. */
  readonly writes: readonly Write[];
  readonly hash: (text: string) => string;
}

/**
 * What the gate reads in the status: the ConfigMap of the server, and the digests of the tunnel's token and of the proxy that the tunnel may
 * have. While the profile cannot be used, the tunnel stays as it is, and so does this: else the gate would end the tunnel.
 */
export function gateStatus(
  observed: Observed<DistributedService>,
  made: Made,
): Pick<Seen, 'serverProfile' | 'identityDigest' | 'exposureDigest'> {
  const { owner, children } = observed;
  const { profile, hash } = made;
  const stays = profile.is !== 'usable' && staysAtServer(observed);
  return {
    serverProfile:
      profile.is === 'usable' ? nameOf(profile.configMap) : stays ? owner.status?.serverProfile : undefined,
    // A look at a service that may be at rest does not read the token: its digest stays as it is in the status.
    identityDigest: children.has('identity')
      ? identityDigest({ owner, live: children.get('identity') }, made.writes, hash)
      : owner.status?.identityDigest,
    exposureDigest: stays ? keptExposure(observed, hash) : heldExposure(observed, made),
  };
}

function nameOf(configMap: KubeObject): string {
  const { namespace, name } = refOf(configMap);
  return `${namespace}/${name}`;
}

/** Whether the spec names the profile of the server at which the tunnel runs. The token says which one that is. */
function staysAtServer({ owner, children }: Observed<DistributedService>): boolean {
  const { metadata, spec, status } = owner;
  const [home = ''] = (status?.serverProfile ?? '').split('/');
  const token = children.get('identity');
  // A look does not read the token, nor has every server one: then only a spec without news surely names the same profile.
  return (
    isTokenOf(token, { namespace: home, name: spec.serverProfile }) ??
    status?.observedGeneration === metadata.generation
  );
}

/** The digest of before, unless the service has lost a Claim since then: it can claim nothing while it does not know its server. */
function keptExposure(
  { owner, children, inputs: found }: Observed<DistributedService>,
  hash: Made['hash'],
): string | undefined {
  const own = found.get(claimInputs.own);
  const names = own === undefined ? undefined : sortOwn(owner, own).held.map(({ metadata }) => metadata.name);
  const mark = children.get('config')?.metadata.annotations?.[annotations.claims];
  return names === undefined || markOf(names, hash) === mark ? owner.status?.exposureDigest : undefined;
}

/**
 * The digest of the proxy; undefined unless this pass has read that the service holds all of it, and its configuration is written, or will
 * be by these writes. From then on the service does not withdraw a Claim for a rival.
 */
function heldExposure(
  { owner, children }: Observed<DistributedService>,
  { claims, profile, writes, hash }: Made,
): string | undefined {
  if (profile.is !== 'usable' || claims.pending || claims.mark === undefined) return undefined;
  const name = childName(owner.metadata.name, 'config');
  const made = writes.flatMap((one) => ('object' in one && one.object.kind === 'ConfigMap' ? [one.object] : []));
  const config = made.find(({ metadata }) => metadata.name === name) ?? children.get('config');
  if (config?.metadata.annotations?.[annotations.claims] !== claims.mark) return undefined;
  return exposureDigest(owner, { server: nameOf(profile.configMap), hash });
}
