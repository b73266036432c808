import type { Channel } from './broker/channel.ts';
import { postEvent } from './broker/http-deliver.ts';
import type { Broker } from './broker/ingress.ts';
import type { Answer, CloudEvent, Deliver, Destination } from './cloud-event.ts';
import type { Functions } from './functions/functions.ts';

/** The addresses on this machine of what has an address in a cluster. */
export interface Places {
  /** The address of the ingress: a Broker is at `/<namespace>/<name>` below it. */
  readonly ingress: string;
  /** `namespace/name` of every Knative Service. */
  readonly services: ReadonlySet<string>;
  /** The Brokers that run here, keyed `namespace/name`: an event needs no connection to them. */
  readonly brokers?: ReadonlyMap<string, Pick<Broker, 'ingress'>>;
  /** The channels, keyed `namespace/name`. */
  readonly channels?: ReadonlyMap<string, Pick<Channel, 'take'>>;
  readonly functions: Pick<Functions, 'deliver' | 'urls'>;
}

/** The ingresses of both classes of Brokers in a cluster. */
const ingressInCluster = /^http:\/\/(kafka-)?broker-ingress\.knative-eventing(\.svc(\.cluster\.local)?)?(?=\/)/;
const serviceInCluster = /^http:\/\/([a-z0-9-]+)\.([a-z0-9-]+)\.svc(\.cluster\.local)?(?=\/|$)/;

/** Delivers to the place of a destination on this machine. */
export function deliverIn(places: Places): Deliver {
  return async (to, event, timeoutMs) => {
    const { services, functions, channels } = places;
    const place = resolve(to, places);
    switch (place.kind) {
      case 'broker':
        return toBroker(place, { ...places, event, timeoutMs });
      case 'channel':
        return channels?.get(`${place.namespace}/${place.name}`)?.take(event) ?? nobody(place);
      case 'uri':
        return postEvent(place.uri, event, timeoutMs);
      case 'function':
        return services.has(`${place.namespace}/${place.name}`)
          ? functions.deliver(place, event, timeoutMs)
          : nobody(place);
    }
  };
}

async function toBroker(
  { namespace, name }: { readonly namespace: string; readonly name: string },
  {
    brokers,
    ingress,
    event,
    timeoutMs,
  }: Places & { readonly event: CloudEvent; readonly timeoutMs: number | undefined },
): Promise<Answer> {
  const broker = brokers?.get(`${namespace}/${name}`);
  if (broker === undefined || timeoutMs !== undefined) {
    return postEvent(`${ingress}/${namespace}/${name}`, event, timeoutMs);
  }
  const { status, message = '', isTakenBySome } = await broker.ingress(event);
  return {
    kind: 'answered',
    status,
    headers: {},
    body: Buffer.from(message),
    ...(isTakenBySome && { isTakenBySome }),
  };
}

function nobody({ namespace, name }: { readonly namespace: string; readonly name: string }): Answer {
  return { kind: 'failed', why: `dial tcp: lookup ${name}.${namespace}.svc.cluster.local: no such host` };
}

/** The destination on this machine for an address in the cluster. */
function resolve(to: Destination, { ingress, services }: Places): Destination {
  if (to.kind !== 'uri') return to;
  const [, name, namespace] = serviceInCluster.exec(to.uri) ?? [];
  if (name !== undefined && namespace !== undefined && services.has(`${namespace}/${name}`)) {
    const { pathname, search } = new URL(to.uri);
    const path = `${pathname}${search}`;
    return { kind: 'function', namespace, name, ...(path !== '/' && { path }) };
  }
  return { kind: 'uri', uri: here(to.uri, ingress) };
}

/** The same text, or the local address for the address of a Broker in a cluster. */
export function here(text: string, ingress: string): string {
  return text.replace(ingressInCluster, ingress);
}
