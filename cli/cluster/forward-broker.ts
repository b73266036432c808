import { accountTokens } from '../../packages/controller/cluster/account-token.ts';
import { createLook } from '../../packages/controller/cluster/look.ts';
import { outsideCluster } from '../../packages/controller/cluster/outside.ts';
import { createTransport } from '../../packages/controller/cluster/transport.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { type Forward, forwardService } from './port-forward.ts';

export interface BrokerInCluster {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly name: string;
  /** The version of Knudge, for the User-Agent. */
  readonly version: string;
}

export interface BrokerForward extends Forward {
  /** If the Broker asks senders for tokens: the ServiceAccount to send as, and its token. */
  readonly sender?: { readonly name: string; readonly token: () => Promise<string> };
}

/** The ServiceAccount of deploy/first-resync: it has no rights, and deploy/overlays/secure lets it send events. */
const sender = 'first-resync';

/**
 * Forwards the ingress of a Broker in a cluster to a port of this machine. The address is in the Broker's status: for the usual
 * class that is `broker-ingress` in `knative-eventing`. The status has an audience if the Broker asks for tokens.
 * Throws `unavailable` with what to do.
 */
export async function forwardBroker({ kubeconfig, namespace, name, version }: BrokerInCluster): Promise<BrokerForward> {
  const transport = createTransport({ access: await outsideCluster({ kubeconfig }), version, timeoutMs: 10_000 });
  const kind = { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', plural: 'brokers' };
  try {
    const place = placeOf(await createLook(transport).get(kind, { namespace, name }), { namespace, name });
    const { audience } = place;
    const forward = await forwardService({ kubeconfig, transport, ...place });
    return {
      ...forward,
      url: `${forward.url}${place.path}`,
      ...(audience !== undefined && {
        sender: {
          name: `ServiceAccount ${namespace}/${sender}`,
          token: accountTokens(transport, { namespace, name: sender, audience }),
        },
      }),
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

interface Place {
  readonly service: string;
  readonly namespace: string;
  readonly port: number;
  readonly path: string;
  /** The audience that tokens need; absent if the Broker asks for none. */
  readonly audience?: string;
}

interface BrokerParts extends KubeObject {
  readonly status?: { readonly address?: { readonly url?: string; readonly audience?: string } };
}

/** The place where events go by the status of a Broker. */
export function placeOf(
  broker: KubeObject | undefined,
  at: { readonly namespace: string; readonly name: string },
): Place {
  const title = `Broker ${at.namespace}/${at.name}`;
  if (broker === undefined) {
    throw new KnudgeError(
      'unavailable',
      `there is no ${title} in the cluster: install eventing/, or name its --namespace`,
    );
  }
  const { url: address, audience = '' } = (broker as BrokerParts).status?.address ?? {};
  if (address === undefined || !URL.canParse(address)) {
    throw new KnudgeError('unavailable', `${title} has no address yet: kubectl describe says why it is not ready`);
  }
  const { protocol, hostname, port, pathname } = new URL(address);
  const [service = '', namespace = '', third] = hostname.split('.');
  if (protocol !== 'http:' || third !== 'svc') {
    const why = 'only a Service of the cluster over plain HTTP can be forwarded to';
    throw new KnudgeError('unavailable', `${title} is at ${address}, and ${why}: name an address by --broker`);
  }
  const place = { service, namespace, port: port === '' ? 80 : Number(port), path: pathname };
  return audience === '' ? place : { ...place, audience };
}
