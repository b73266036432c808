import type { KubeObject } from '../../domain/kube-object.ts';
import type { Refusal } from '../../domain/plan.ts';
import type { ChildWork } from '../children.ts';
import type { Discovery } from './backends.ts';
import type { CertificateFinding } from './certificate-finding.ts';
import type { ClaimFinding } from './claims.ts';
import type { EndpointsSeen } from './live-endpoints.ts';
import type { ProfileFinding } from './profile.ts';

/** All that the status of a living service speaks of. */
export interface Seen {
  readonly profile: ProfileFinding;
  readonly certificates: CertificateFinding;
  readonly discovery: Discovery;
  readonly claims: ClaimFinding;
  readonly work: ChildWork;
  readonly tunnel: KubeObject | undefined;
  readonly endpoints: EndpointsSeen;
  readonly workload: KubeObject | undefined;
  readonly refusal: Refusal | undefined;
}
