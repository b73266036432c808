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
  /** All that this pass writes. */
  readonly writes: readonly Write[];
  readonly hash: (text: string) => string;
}

/** What the status says for the gate: by which token it knows the tunnel, and what it may let that in with. */
export function gateDigests(
  observed: Observed<DistributedService>,
  made: Made,
): Pick<Seen, 'identityDigest' | 'exposureDigest'> {
  const { owner, children } = observed;
  return {
    // A look leaves it out, and takes the status's word.
    identityDigest: children.has('identity')
      ? identityDigest({ owner, live: children.get('identity') }, made.writes, made.hash)
      : owner.status?.identityDigest,
    exposureDigest: heldExposure(observed, made),
  };
}

/**
 * There is one only if all of it is held as it was read, and the configuration that was made for it stands when these writes are
 * done: a service that has published steps back from nothing any more.
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
