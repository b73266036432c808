import type { Observed, Write } from '../../../packages/controller/domain/plan.ts';
import type { ClaimFinding } from '../claims/claims.ts';
import { exposureDigest } from '../frp/exposed-proxy.ts';
import { identityDigest } from '../frp/identity-secret.ts';
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

/** The digests in the status that the gate compares: that of the tunnel's token, and that of the proxy that the tunnel may have. */
export function gateDigests(
  observed: Observed<DistributedService>,
  made: Made,
): Pick<Seen, 'identityDigest' | 'exposureDigest'> {
  const { owner, children } = observed;
  return {
    // A look at a service that may be at rest does not read the token: its digest stays as it is in the status.
    identityDigest: children.has('identity')
      ? identityDigest({ owner, live: children.get('identity') }, made.writes, made.hash)
      : owner.status?.identityDigest,
    exposureDigest: heldExposure(observed, made),
  };
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
  const { namespace, name: profileName } = profile.profile.configMap;
  return exposureDigest(owner, { server: `${namespace}/${profileName}`, hash });
}
