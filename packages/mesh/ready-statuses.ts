import type { KubeObject, ObjectRef } from '../controller/domain/kube-object.ts';
import type { Destination } from './cloud-event.ts';
import type { MeshSpec } from './mesh-spec.ts';
import type { MeshState } from './state.ts';

/** An object of Knative's, and the status that its controller would write once it runs. */
export interface ReadyStatus {
  readonly ref: ObjectRef;
  readonly status: Readonly<Record<string, unknown>>;
}

/**
 * What `kubectl get` shows of the Brokers, Triggers, sources and Knative Services that run: ready, and where. The fields
 * are those that Knative's own columns show.
 */
export function readyStatuses(objects: readonly KubeObject[], at: Places): readonly ReadyStatus[] {
  return objects.flatMap(({ apiVersion, kind, metadata: { namespace = '', name } }) => {
    const tell = tellers[`${apiVersion} ${kind}`];
    const found = tell?.({ namespace, name }, at);
    return found === undefined ? [] : [{ ref: { apiVersion, kind, namespace, name }, status: found }];
  });
}

export interface Places {
  readonly spec: Pick<MeshSpec, 'triggers' | 'channels' | 'sources' | 'pings'>;
  readonly state: Pick<MeshState, 'functions'>;
  /** Each Broker is at `/<namespace>/<name>` below it. */
  readonly ingress: string;
  /** RFC 3339. */
  readonly now: string;
}

type Named = Readonly<{ namespace: string; name: string }>;
type Teller = (object: Named, at: Places) => Readonly<Record<string, unknown>> | undefined;

const tellers: Readonly<Record<string, Teller>> = {
  'eventing.knative.dev/v1 Broker': ({ namespace, name }, at) => ({
    ...ready(at),
    address: { url: `${at.ingress}/${namespace}/${name}` },
  }),
  'eventing.knative.dev/v1 Trigger': (object, at) => {
    const trigger = at.spec.triggers.find(isThe(object));
    return trigger && { ...ready(at), subscriberUri: addressOf(trigger.subscriber, at) };
  },
  'messaging.knative.dev/v1 InMemoryChannel': (_, at) => ready(at),
  'messaging.knative.dev/v1 Subscription': (object, at) => {
    const found = at.spec.channels.flatMap(({ subscriptions }) => subscriptions).find(isThe(object));
    return found && { ...ready(at), physicalSubscription: { subscriberUri: addressOf(found.subscriber, at) } };
  },
  'sources.knative.dev/v1 ApiServerSource': watching,
  'sources.knative.dev/v1 ContainerSource': watching,
  'sources.knative.dev/v1 PingSource': (object, at) => {
    const ping = at.spec.pings.find(isThe(object));
    return ping && { ...ready(at), sinkUri: addressOf(ping.sink, at) };
  },
  'serving.knative.dev/v1 Service': ({ name }, at) => ({ ...ready(at), url: at.state.functions[name] }),
};

function watching(object: Named, at: Places) {
  const source = at.spec.sources.find(isThe(object));
  return source && { ...ready(at), sinkUri: addressOf(source.sink, at) };
}

function ready({ now }: Places) {
  return { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: now }] };
}

function isThe({ namespace, name }: Named): (other: Named) => boolean {
  return (other) => other.namespace === namespace && other.name === name;
}

function addressOf(to: Destination, { state, ingress }: Places): string | undefined {
  switch (to.kind) {
    case 'uri':
      return to.uri;
    case 'channel':
      return undefined;
    case 'broker':
      return `${ingress}/${to.namespace}/${to.name}`;
    case 'function':
      return state.functions[to.name];
  }
}
