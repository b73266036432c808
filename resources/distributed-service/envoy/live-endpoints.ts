import type { Answer, Condition } from '../../../packages/controller/domain/conditions.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { TunnelPod } from '../children/tunnel-pod.ts';
import { fileNames, type LiveEndpoints } from './data-plane.ts';

/** The facts that the condition `EndpointsAccepted` depends on. */
export interface EndpointsSeen {
  /** The version of the endpoints as they should be. */
  readonly wanted: string;
  /** The answer of Envoy; undefined if it was not asked this time. */
  readonly live: LiveEndpoints | 'unreachable' | undefined;
  readonly pod: TunnelPod | undefined;
}

export const endpointsCondition = 'EndpointsAccepted';

/** The reason if Envoy still uses other endpoints. */
export const pendingReason = 'UpdatePending';

/** Whether Envoy uses the wanted endpoints, by its answer or, without one, by the condition from its last answer. */
export function endpointsFinding({ wanted, live, pod }: EndpointsSeen, before: Condition | undefined): Answer {
  if (pod?.isServing !== true) return notReady;
  // Each message names the version, so the last answer counts only if it was about these endpoints.
  const told = [inUse(wanted), rejected(wanted), pending(wanted)].find(({ message }) => message === before?.message);
  const unread = pod.isSimulated ? simulated : unanswered;
  if (live === undefined) return told ?? unread;
  // A lost packet does not mean that Envoy has given up the endpoints that it had accepted.
  if (live === 'unreachable') return told === undefined || told.status === 'Unknown' ? unread : told;
  if (live.version === wanted) return inUse(wanted);
  return live.refused > 0 ? rejected(wanted) : pending(wanted);
}

const type = endpointsCondition;

const notReady: Answer = {
  type,
  status: 'Unknown',
  reason: 'TunnelNotReady',
  message: 'Envoy is not asked before the Pod of the tunnel is ready',
};

const notReadBack = { type, status: 'Unknown', reason: 'NotReadBack' } as const;

const unanswered: Answer = {
  ...notReadBack,
  message: 'Envoy has not said which endpoints it uses: it was not asked yet, or could not be reached',
};

const simulated: Answer = {
  ...notReadBack,
  message: 'No Envoy says which endpoints it uses: the Pod of the tunnel is simulated, and runs nothing',
};

function inUse(version: string): Answer {
  return { type, status: 'True', reason: 'EndpointsLive', message: `Envoy uses the endpoints ${version}` };
}

function pending(version: string): Answer {
  return {
    type,
    status: 'Unknown',
    reason: pendingReason,
    message: `Envoy does not use the endpoints ${version} yet`,
  };
}

function rejected(version: string): Answer {
  const message = `Envoy has refused endpoints and does not use ${version}: its log says what is wrong, and what it had before stays in use`;
  return { type, status: 'False', reason: 'UpdateRejected', message };
}

/** The version that the ConfigMap with the endpoints carries; empty where it carries none. */
export function versionOf(endpoints: KubeObject | undefined): string {
  const { data }: KubeObject & { readonly data?: Readonly<Record<string, string>> } = endpoints ?? nothing;
  const [, version = ''] = /"version_info":\s*"([^"]*)"/.exec(data?.[fileNames.endpoints] ?? '') ?? [];
  return version;
}

const nothing: KubeObject = { apiVersion: '', kind: '', metadata: { name: '' } };
