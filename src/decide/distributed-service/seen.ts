import type { KubeObject } from '../../domain/kube-object.ts';
import type { Refusal } from '../../domain/plan.ts';
import type { ChildWork } from '../children.ts';
import type { Discovery } from './backends.ts';
import type { CertificateFinding } from './certificate-finding.ts';
import type { ClaimFinding } from './claims.ts';
import type { EndpointsSeen } from './live-endpoints.ts';
import type { ProfileFinding } from './profile.ts';
import type { PublishedSeen } from './published.ts';
import type { WorkloadFinding } from './workload.ts';

/** All that the status of a living service speaks of. */
export interface Seen {
  readonly profile: ProfileFinding;
  readonly certificates: CertificateFinding;
  readonly discovery: Discovery;
  readonly claims: ClaimFinding;
  readonly work: ChildWork;
  readonly tunnel: KubeObject | undefined;
  /** By which the gate knows the tunnel's token. */
  readonly identityDigest: string | undefined;
  /** By which the gate knows what the service holds. */
  readonly exposureDigest: string | undefined;
  readonly endpoints: EndpointsSeen;
  readonly published: PublishedSeen;
  readonly scaling: WorkloadFinding;
  /** Children that are not made what they should be now, for people. */
  readonly held: { readonly reason: 'Overridden' | 'Flapping'; readonly message: string } | undefined;
  readonly refusal: Refusal | undefined;
  /** This pass leaves some of its work to the next one, which follows at once. */
  readonly hasMore: boolean;
}
