import type { Request } from '../../../packages/kube-api/fidelity/case.ts';

/** One behaviour of Knative's Broker, Triggers, dead letters and sources, as a sentence. */
export type Case = BrokerCase | SourceCase | PingCase;

/**
 * In every text `{case}` stands for the id of the case, `{scene}` for that of its Triggers, which cases with the same ones
 * share, `{ns}` for the namespace, `{broker}` for the name of its Broker, `{receiver}` for the address of the receiver and
 * `{nobody}` for one at which nobody listens.
 */
export interface BrokerCase {
  readonly kind: 'broker';
  readonly name: string;
  /** By their name. Those that share a Broker want the events of their own scene alone. */
  readonly triggers?: Readonly<Record<string, TriggerCase>>;
  /** A Broker of its own, with this delivery, instead of one that it shares. */
  readonly own?: { readonly delivery?: object };
  readonly posts: readonly Post[];
  /** All at the same time, instead of each after the answer to the one before. */
  readonly atOnce?: boolean;
  /** What the receiver answers at `{receiver}/scene/<name>`, one after the other; the last one again and again. */
  readonly answers?: Answers;
  /** Whose requests are compared as a whole, of the others their ids alone; if absent, everybody's. */
  readonly whole?: readonly string[];
  /** In which order everybody was asked is compared too. */
  readonly ordered?: boolean;
  /** So are the waits between tries, in classes. */
  readonly timed?: boolean;
  /** Whether the answer of the ingress to each took a while is compared. */
  readonly heldBack?: boolean;
}

export type Answers = Readonly<Record<string, readonly Answer[]>>;

/** The parts of the spec of a Trigger; what is left out is filled in. */
export interface TriggerCase {
  readonly filter?: object;
  readonly filters?: readonly object[];
  readonly delivery?: object;
  /** `{receiver}/scene/<name of the Trigger>` if absent. */
  readonly subscriber?: string;
}

export interface Post {
  readonly method?: string;
  /** `/{ns}/{broker}` if absent. */
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Not at once. */
  readonly afterMs?: number;
  /** No answer: the connection is cut, or held until the asker goes. */
  readonly instead?: 'cut' | 'hold';
}

/** What an ApiServerSource sends of what is done to objects. It watches what has the label `knudge.dev/case: {case}`. */
export interface SourceCase {
  readonly kind: 'source';
  readonly name: string;
  readonly mode: 'Resource' | 'Reference';
  /** ConfigMaps if absent. */
  readonly resource?: { readonly apiVersion: string; readonly kind: string };
  /** Objects that are there before the source is. */
  readonly before?: readonly object[];
  readonly steps: readonly Request[];
  /** The answers of the sink to the events about objects of these names. */
  readonly answers?: Answers;
  readonly whole?: readonly string[];
  readonly timed?: boolean;
}

/** The first event of a PingSource with this in its spec. */
export interface PingCase {
  readonly kind: 'ping';
  readonly name: string;
  readonly spec: object;
}

const usual = { specversion: '1.0', id: 'e-1', type: 'shop.sold', source: '/till', case: '{case}', scene: '{scene}' };

/** The attributes of an event of its case, as headers; those of the caller win. */
export function headersOf(attributes: Readonly<Record<string, string | undefined>> = {}): Record<string, string> {
  const all = { ...usual, ...attributes };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[`ce-${name}`, value]])),
  );
}

/** A small event in binary mode. */
export function binary(attributes: Readonly<Record<string, string | undefined>> = {}): Post {
  return { headers: { ...headersOf(attributes), 'content-type': 'application/json' }, body: '{"paid":true}' };
}

/** An event in structured mode; what the caller names comes on top. */
export function structured(more: object, type = 'application/cloudevents+json'): Post {
  const event = { ...usual, ...more };
  return { headers: { 'content-type': type }, body: JSON.stringify(event) };
}

/** Where dead letters go. */
export const deadLetterSink = { uri: '{receiver}/scene/dead' } as const;

/** Two tries more, quickly, and then the dead letter. */
export const quick = { retry: 2, backoffPolicy: 'linear', backoffDelay: 'PT0.1S', deadLetterSink } as const;
