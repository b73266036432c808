import type { ChildWork } from '../../packages/controller/decide/children.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { Refusal } from '../../packages/controller/domain/plan.ts';
import type { CertificateFinding } from './certificates/certificate-finding.ts';
import type { WorkloadFinding } from './children/workload.ts';
import type { ClaimFinding } from './claims/claims.ts';
import type { Discovery } from './discovery/backends.ts';
import type { EndpointsSeen } from './envoy/live-endpoints.ts';
import type { ProfileFinding } from './frp/profile.ts';
import type { PublishedSeen } from './frp/published.ts';

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
