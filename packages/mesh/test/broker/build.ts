import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { postEvent } from '../../broker/http-deliver.ts';
import { type Broker, type BrokerParts, createBroker } from '../../broker/ingress.ts';
import type { CloudEvent, Deliver } from '../../cloud-event.ts';
import type { Hop } from '../../hop.ts';
import type { BrokerSpec, Delivery, TriggerSpec } from '../../mesh-spec.ts';

export function anEvent(id: string, attributes: Readonly<Record<string, string>> = {}): CloudEvent {
  return {
    attributes: { specversion: '1.0', id, type: 'shop.sold', source: '/till', ...attributes },
    contentType: 'application/json',
    data: Buffer.from(JSON.stringify({ id })),
  };
}

/** As the Broker of the measurements: three more tries, exponential, from 0.2 s. */
export const usualDelivery: Delivery = { retry: 3, backoff: 'exponential', backoffDelayMs: 200 };

export function aTrigger(subscriber: string, more: Partial<TriggerSpec> = {}): TriggerSpec {
  return {
    namespace: 'kn-demo',
    name: 'sold',
    broker: 'default',
    filters: [],
    subscriber: { kind: 'uri', uri: subscriber },
    delivery: usualDelivery,
    ordered: false,
    ...more,
  };
}

export function aBroker(kind: BrokerSpec['class'] = 'MTChannelBasedBroker'): BrokerSpec {
  return { namespace: 'kn-demo', name: 'default', class: kind, delivery: usualDelivery };
}

/** Only addresses are delivered to: tests have no cluster. */
export const overHttp: Deliver = (to, event, timeoutMs) =>
  to.kind === 'uri' ? postEvent(to.uri, event, timeoutMs) : Promise.resolve({ kind: 'failed', why: 'no such place' });

export interface Started {
  readonly broker: Broker;
  readonly hops: Hop[];
  /** What the Broker wanted to wait; it did not. */
  readonly waits: number[];
}

/** A Broker that does not wait between tries and is closed after the test. */
export function startBroker(t: TestContext, spec: BrokerSpec, parts: Partial<BrokerParts>): Started {
  const hops: Hop[] = [];
  const waits: number[] = [];
  const broker = createBroker(spec, {
    triggers: [],
    deliver: overHttp,
    report: (hop) => hops.push(hop),
    sleep: async (ms) => void waits.push(ms),
    graceMs: 1000,
    ...parts,
  });
  t.after(() => broker.close());
  return { broker, hops, waits };
}

export function hopsOf<K extends Hop['kind']>(hops: readonly Hop[], kind: K): readonly Extract<Hop, { kind: K }>[] {
  return hops.filter((hop): hop is Extract<Hop, { kind: K }> => hop.kind === kind);
}

/** A folder of its own, gone after the test. Call it before the Broker is started: the Broker is closed first. */
export function aFolder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-broker-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Resolves as soon as it is true; rejects after fifteen seconds. */
export async function until(isTrue: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 15_000;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
