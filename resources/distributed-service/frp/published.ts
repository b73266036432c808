import type { Answer, Condition } from '../../../packages/controller/domain/conditions.ts';
import type { TunnelPod } from '../children/tunnel-pod.ts';
import type { Unpublished } from '../envoy/data-plane.ts';
import type { ServerProfile } from './server-profile.ts';

/** What the condition hangs on. */
export interface PublishedSeen {
  /** Where the service is to be published; absent where it takes nothing at an FRP server. */
  readonly server: Pick<ServerProfile, 'address' | 'port'> | undefined;
  readonly pod: TunnelPod | undefined;
  /** A replica is available, so its frpc is ready: for as long as its Pod is not seen. */
  readonly isAvailable: boolean;
  /** What was heard in the Pod; absent where nobody was asked this time. */
  readonly why: Unpublished | 'unreachable' | undefined;
}

export const publishedCondition = 'Published';

/** Whether the FRP server has taken the proxy: as the readiness of frpc says, and if not, why, as the Pod said when it was asked last. */
export function publishedFinding(
  { server, pod, isAvailable, why }: PublishedSeen,
  before: Condition | undefined,
): Answer {
  if (server === undefined) return notRequired;
  const at = `${server.address}:${String(server.port)}`;
  if (pod?.isServing === true ? pod.isPublished : isAvailable) return taken(at);
  if (pod?.isServing !== true) return notReady;
  if (why !== undefined && why !== 'unreachable') return refused(why, at);
  // What was heard before is as good as nothing new, as long as it is about this server.
  const isKept = before?.status === 'False' && before.message.includes(at);
  return isKept ? { type, status: 'False', reason: before.reason, message: before.message } : untold(at);
}

const type = publishedCondition;

const notRequired: Answer = {
  ...{ type, status: 'True', reason: 'NotRequired' },
  message: 'The service takes nothing at the FRP server',
};

const notReady: Answer = {
  ...{ type, status: 'Unknown', reason: 'TunnelNotReady' },
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
        ...{ type, status: 'False', reason: 'ProxyRefused' },
        message: `The FRP server ${at} refuses the proxy: ${why.words}`,
      };
    case 'unreachable':
      return {
        ...{ type, status: 'False', reason: 'ServerUnreachable' },
        message: `The FRP server ${at} cannot be reached: ${why.words}`,
      };
    case 'not-logged-in':
      return {
        ...{ type, status: 'False', reason: 'NotLoggedIn' },
        message: `The FRP server ${at} takes connections and has not let frpc in: is its certificate valid, and its token known there? The log of frpc has the server's words`,
      };
  }
}
