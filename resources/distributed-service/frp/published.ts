import type { Answer, Condition } from '../../../packages/controller/domain/conditions.ts';
import type { TunnelPod } from '../children/tunnel-pod.ts';
import type { Unpublished } from '../envoy/data-plane.ts';
import type { ServerProfile } from './server-profile.ts';

/** The facts that the condition `Published` depends on. */
export interface PublishedSeen {
  /** The FRP server of the service; undefined if the service has no proxy there. */
  readonly server: Pick<ServerProfile, 'address' | 'port'> | undefined;
  readonly pod: TunnelPod | undefined;
  /** Whether a replica is available, and so its frpc is ready. It counts as long as the Pod was not read. */
  readonly isAvailable: boolean;
  /** The reason that the Pod of the tunnel gives; undefined if it was not asked this time. */
  readonly why: Unpublished | 'unreachable' | undefined;
}

export const publishedCondition = 'Published';

/** Whether the FRP server has accepted the proxy, by the readiness of frpc. If it has not, the condition has the last reason that the Pod gave. */
export function publishedFinding(
  { server, pod, isAvailable, why }: PublishedSeen,
  before: Condition | undefined,
): Answer {
  if (server === undefined) return notRequired;
  const at = `${server.address}:${String(server.port)}`;
  if (pod?.isServing === true ? pod.isPublished : isAvailable) return taken(at);
  if (pod?.isServing !== true) return notReady;
  if (why !== undefined && why !== 'unreachable') return refused(why, at);
  // Without a new answer the last reason stays, if it is about this server.
  const isKept = before?.status === 'False' && before.message.includes(at);
  return isKept ? { type, status: 'False', reason: before.reason, message: before.message } : untold(at);
}

const type = publishedCondition;

const notRequired: Answer = {
  type,
  status: 'True',
  reason: 'NotRequired',
  message: 'The service takes nothing at the FRP server',
};

const notReady: Answer = {
  type,
  status: 'Unknown',
  reason: 'TunnelNotReady',
  message: 'frpc does not run before the Pod of the tunnel is ready',
};

function taken(at: string): Answer {
  return { type, status: 'True', reason: 'ProxyRunning', message: `The FRP server ${at} has taken the proxy` };
}

function untold(at: string): Answer {
  const message = `The FRP server ${at} has not taken the proxy: the log of frpc says why`;
  return { type, status: 'False', reason: 'NotPublished', message };
}

function refused(why: Unpublished, at: string): Answer {
  switch (why.is) {
    case 'refused':
      return {
        type,
        status: 'False',
        reason: 'ProxyRefused',
        message: `The FRP server ${at} refuses the proxy: ${why.words}`,
      };
    case 'unreachable':
      return {
        type,
        status: 'False',
        reason: 'ServerUnreachable',
        message: `The FRP server ${at} cannot be reached: ${why.words}`,
      };
    case 'not-logged-in':
      return {
        type,
        status: 'False',
        reason: 'NotLoggedIn',
        message: `The FRP server ${at} takes connections and has not let frpc in: is its certificate valid, and its token known there? The log of frpc has the server's words`,
      };
  }
}
