import type { KubeObject } from '../controller/domain/kube-object.ts';
import type { Destination } from './cloud-event.ts';

/** The checked manifests: the input of the mesh. */
export interface MeshSpec {
  readonly brokers: readonly BrokerSpec[];
  readonly channels: readonly ChannelSpec[];
  readonly triggers: readonly TriggerSpec[];
  readonly sources: readonly SourceSpec[];
  readonly pings: readonly PingSpec[];
  readonly functions: readonly FunctionSpec[];
  /** Every object of crds/, eventing/ and deploy/ in the order in which it can be applied. */
  readonly objects: readonly KubeObject[];
  /** File and line of an object, or of its field if a sentence of the API server names it. */
  placeOf(object: KubeObject, sentence: string): string;
  /** The file of an object, from the root. */
  fileOf(object: KubeObject): string | undefined;
}

interface Named {
  readonly namespace: string;
  readonly name: string;
}

export interface BrokerSpec extends Named {
  readonly class: 'MTChannelBasedBroker' | 'Kafka';
  readonly delivery: Delivery;
}

/** Knative's `spec.delivery`, durations in milliseconds. */
export interface Delivery {
  /** Tries after the first. */
  readonly retry: number;
  readonly backoff: 'linear' | 'exponential';
  readonly backoffDelayMs: number;
  /** Milliseconds for one try; without a limit if absent. */
  readonly timeoutMs?: number;
  readonly deadLetterSink?: Destination;
}

export interface TriggerSpec extends Named {
  readonly broker: string;
  /** All of them must match. */
  readonly filters: readonly Filter[];
  readonly subscriber: Destination;
  /** The merged delivery: how the Trigger's own and the Broker's are merged depends on the class of the Broker. */
  readonly delivery: Delivery;
  /** Kafka class: one event of a partition at a time. */
  readonly ordered: boolean;
}

/** An InMemoryChannel that answers at once, with its Subscriptions. */
export interface ChannelSpec extends Named {
  readonly subscriptions: readonly SubscriptionSpec[];
}

/** Delivered to as a Trigger is; it has no Broker, so its subscriber's reply goes nowhere. */
export type SubscriptionSpec = TriggerSpec;

/** Knative's dialects; the old `filter.attributes` is `attributes`, in which an empty value only requires the attribute. */
export type Filter =
  | {
      readonly dialect: 'exact' | 'prefix' | 'suffix' | 'attributes';
      readonly attributes: Readonly<Record<string, string>>;
    }
  | { readonly dialect: 'all' | 'any'; readonly filters: readonly Filter[] }
  | { readonly dialect: 'not'; readonly filter: Filter };

export interface SourceSpec extends Named {
  readonly mode: 'Resource' | 'Reference';
  readonly resources: readonly WatchedResource[];
  /** Only objects whose controller is of this kind. */
  readonly owner?: { readonly apiVersion: string; readonly kind: string };
  readonly namespaces:
    | { readonly kind: 'own' }
    | { readonly kind: 'all' }
    | { readonly kind: 'labelled'; readonly selector: string };
  readonly sink: Destination;
  readonly overrides: Readonly<Record<string, string>>;
  /** Set for Knudge's own source, which keeps track of what it has announced. */
  readonly keepsTrack?: true;
}

export interface WatchedResource {
  readonly apiVersion: string;
  readonly kind: string;
  /** A label selector as a query parameter; empty: everything. */
  readonly selector: string;
}

export interface PingSpec extends Named {
  readonly schedule: string;
  readonly timezone?: string;
  readonly contentType?: string;
  readonly data: Buffer;
  readonly sink: Destination;
  readonly overrides: Readonly<Record<string, string>>;
}

/** A Knative Service. */
export interface FunctionSpec extends Named {
  readonly env: Readonly<Record<string, string>>;
  /** Variables whose values are in objects of a cluster, such as a Secret. */
  readonly envOfCluster: readonly string[];
  /** Requests one instance takes at a time; 0: no bound. */
  readonly containerConcurrency: number;
  readonly timeoutSeconds: number;
  readonly minScale: number;
  /** 0: no bound. */
  readonly maxScale: number;
  /** `autoscaling.knative.dev/target`: the wanted requests of an instance if containerConcurrency is 0. */
  readonly target: number;
  /** Seconds without a request after which it sleeps: `autoscaling.knative.dev/window`, 60 by default. */
  readonly idleSeconds: number;
}
