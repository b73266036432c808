import type { Access } from '../../packages/controller/cluster/access.ts';
import { accountTokens } from '../../packages/controller/cluster/account-token.ts';
import { createLook } from '../../packages/controller/cluster/look.ts';
import { outsideCluster } from '../../packages/controller/cluster/outside.ts';
import { createTransport } from '../../packages/controller/cluster/transport.ts';
import { podTarget } from './forward-target.ts';
import { type Forward, forwardPod } from './port-forward.ts';

export interface LogInCluster {
  readonly kubeconfig: string;
  /** The namespace of Knudge. */
  readonly namespace: string;
  /** The ServiceAccount whose token the log gets; if absent, the user's own token, or that of `reader` if the user has none. */
  readonly serviceAccount?: string;
  /** The version of Knudge, for the User-Agent. */
  readonly version: string;
}

export interface LogForward extends Forward {
  /** A token that the log can have reviewed, renewed in time. */
  token(): Promise<string>;
}

/** The Knative Service of the event log. */
const service = 'event-log';

/** The ServiceAccount of deploy/base/event-log-reader.yaml that may read the log. */
const reader = 'event-log-reader';

/**
 * Forwards the event log of a cluster to a port of this machine: to a ready Pod of its Knative Service, because the Service that
 * Knative makes for it selects no Pods. Throws `unavailable` if no Pod is ready.
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
    // The port of Knative's queue-proxy, which counts requests: Knative may end a Pod that gets them past it.
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

/** The user's own token, if their access has one. */
function tokensOf(own: Access | undefined, ofAccount: () => Promise<string>): () => Promise<string> {
  return async () => {
    // Without renewing: the access caches what it read.
    const { authorization = '' } = own === undefined ? {} : await own.credentials(false);
    const [, ofUser] = /^Bearer (.+)$/.exec(authorization) ?? [];
    return ofUser ?? ofAccount();
  };
}
