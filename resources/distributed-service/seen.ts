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

/** All findings of a pass that the status of a service depends on. */
export interface Seen {
  readonly profile: ProfileFinding;
  readonly certificates: CertificateFinding;
  readonly discovery: Discovery;
  readonly claims: ClaimFinding;
  readonly work: ChildWork;
  readonly tunnel: KubeObject | undefined;
  /** The namespace and name of the ConfigMap of its server. */
  readonly serverProfile: string | undefined;
  /** The digest by which the gate knows the tunnel's token. */
  readonly identityDigest: string | undefined;
  /** The digest by which the gate knows which proxy the service may have. */
  readonly exposureDigest: string | undefined;
  readonly endpoints: EndpointsSeen;
  readonly published: PublishedSeen;
  readonly scaling: WorkloadFinding;
  /** The reason and sentence for the status if Knudge holds writes to children back. */
  readonly held: { readonly reason: 'Overridden' | 'Flapping'; readonly message: string } | undefined;
  readonly refusal: Refusal | undefined;
  /** Whether this pass leaves some of its work to the next one, which follows at once. */
  readonly hasMore: boolean;
}
