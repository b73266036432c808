import type { Access } from '../../packages/controller/cluster/access.ts';
import { accountTokens } from '../../packages/controller/cluster/account-token.ts';
import { createLook } from '../../packages/controller/cluster/look.ts';
import { outsideCluster } from '../../packages/controller/cluster/outside.ts';
import { createTransport } from '../../packages/controller/cluster/transport.ts';
import { podTarget } from './forward-target.ts';
import { type Forward, forwardPod } from './port-forward.ts';

export interface LogInCluster {
  readonly kubeconfig: string;
  /** Where Knudge is. */
  readonly namespace: string;
  /** Whose token is shown to the log; absent: the user's own, and where he has none that of `reader`. */
  readonly serviceAccount?: string;
  /** Of Knudge, for the User-Agent. */
  readonly version: string;
}

export interface LogForward extends Forward {
  /** A token that the log can have reviewed; renewed in time. */
  token(): Promise<string>;
}

/** The Knative Service of the event log. */
const service = 'event-log';

/** The ServiceAccount of deploy/base/event-log-reader.yaml that may ask the log. */
const reader = 'event-log-reader';

/**
 * The event log of a cluster, at a port of this machine: to a ready Pod of its Knative Service, since what Knative calls its
 * Service chooses no Pods. Throws `unavailable` where none is ready.
 */
export async function forwardLog({
  kubeconfig,
  namespace,
  serviceAccount,
  version,
}: LogInCluster): Promise<LogForward> {
  const access = await outsideCluster({ kubeconfig });
  const transport = createTransport({ access, version, timeoutMs: 10_000 });
  try {
    const labelSelector = `serving.knative.dev/service=${service}`;
    const pods = await createLook(transport).list(
      { apiVersion: 'v1', kind: 'Pod', plural: 'pods' },
      { namespace, labelSelector },
    );
    // The port of Knative's queue-proxy: what goes past it is no reason for Knative to keep the Pod.
    const target = podTarget(`Knative Service ${namespace}/${service}`, pods, 'queue-port');
    const forward = await forwardPod({ kubeconfig, namespace, ...target });
    const account = { namespace, name: serviceAccount ?? reader };
    const own = serviceAccount === undefined ? access : undefined;
    return {
      ...forward,
      token: tokensOf(own, accountTokens(transport, account)),
      close: async () => {
        transport.close();
        await forward.close();
      },
    };
  } catch (error) {
    transport.close();
    throw error;
  }
}

/** The user's own token, where there is an own access and it has one. */
function tokensOf(own: Access | undefined, ofAccount: () => Promise<string>): () => Promise<string> {
  return async () => {
    // It keeps what it read.
    const { authorization = '' } = own === undefined ? {} : await own.credentials(false);
    const [, ofUser] = /^Bearer (.+)$/.exec(authorization) ?? [];
    return ofUser ?? ofAccount();
  };
}
