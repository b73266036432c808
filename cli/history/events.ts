import { createLook } from '../../packages/controller/cluster/look.ts';
import { createTransport } from '../../packages/controller/cluster/transport.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { Named } from '../../packages/event-log/api/history.ts';
import { version } from '../about.ts';

/** A Kubernetes Event about an object. */
export interface Happened {
  /** RFC 3339. */
  readonly time: string;
  readonly type: string;
  readonly reason: string;
  readonly note: string;
}

interface CoreEvent extends KubeObject {
  readonly involvedObject?: { readonly kind?: string; readonly name?: string };
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly eventTime?: string | null;
  readonly lastTimestamp?: string | null;
}

/** Where the Kubernetes Events about an object without a namespace are. */
const ofCluster = 'default';

/** The Kubernetes Events about an object, newest first. Fails where the cluster does not answer. */
export async function kubernetesEvents(object: Named, kubeconfig: string): Promise<readonly Happened[]> {
  // Imported here because it loads the Kubernetes client.
  const { outsideCluster } = await import('../../packages/controller/cluster/outside.ts');
  const transport = createTransport({ access: await outsideCluster({ kubeconfig }), version, timeoutMs: 5000 });
  try {
    const events = { apiVersion: 'v1', kind: 'Event', plural: 'events' };
    return happenedIn(await createLook(transport).list(events, { namespace: object.namespace || ofCluster }), object);
  } finally {
    transport.close();
  }
}

/** Those of a list that are about an object, newest first. */
export function happenedIn(events: readonly KubeObject[], { kind, name }: Named): readonly Happened[] {
  return (events as readonly CoreEvent[])
    .filter(({ involvedObject }) => involvedObject?.kind === kind && involvedObject.name === name)
    .map(({ type = '', reason = '', message = '', eventTime, lastTimestamp, metadata }) => ({
      time: lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '',
      type,
      reason,
      note: message,
    }))
    .sort((one, other) => Date.parse(other.time) - Date.parse(one.time));
}
