import { randomUUID } from 'node:crypto';
import { type Delivered, deliveryHeader, mostAtOnce, reconciledType } from '../controller/domain/delivery.ts';
import { readDelivery } from '../controller/domain/read-deliveries.ts';
import type { CloudEvent, Deliver, Destination } from './cloud-event.ts';
import type { Hop, Report } from './hop.ts';

/** Milliseconds until what has come is brought to the log, and for one try of it. */
const interval = 250;
const patience = 5000;

export interface Deliveries {
  /** Takes note of a hop; those that are no delivery to a function are left alone. */
  readonly note: Report;
  /** From now on deliveries are brought to the event log. */
  connect(deliver: Deliver, log: Destination): void;
  /** Brings what waits, and then nothing more. */
  close(): Promise<void>;
}

/**
 * Keeps what became of each event, from the hops of the mesh and the headers of the answers, and brings it to the event log, past the
 * Broker: many deliveries at once, and nobody waits for it. What the log does not take is lost.
 */
export function keepDeliveries(now: () => number = Date.now): Deliveries {
  let waiting: Delivered[] = [];
  let timer: NodeJS.Timeout | undefined;
  let way: ((event: CloudEvent) => Promise<unknown>) | undefined;
  let isClosed = false;
  const bring = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    while (way !== undefined && waiting.length > 0) {
      const deliveries = waiting.slice(0, mostAtOnce);
      waiting = waiting.slice(mostAtOnce);
      await way(eventOf(deliveries, now()));
    }
  };
  return {
    note: (hop) => {
      const delivered = isClosed ? undefined : deliveredOf(hop, now());
      if (delivered === undefined || waiting.length >= most) return;
      waiting.push(delivered);
      timer ??= setTimeout(() => void bring(), interval).unref();
    },
    connect: (deliver, log) => {
      way = (event) => deliver(log, event, patience);
    },
    close: async () => {
      isClosed = true;
      await bring();
    },
  };
}

/** More deliveries do not wait. */
const most = 5000;

function eventOf(deliveries: readonly Delivered[], now: number): CloudEvent {
  const time = new Date(now).toISOString();
  const attributes = { specversion: '1.0', id: randomUUID(), type: reconciledType, source: '/knudge/mesh', time };
  return { attributes, contentType: 'application/json', data: Buffer.from(JSON.stringify({ deliveries })) };
}

/** What a hop says of a delivery; undefined where the function reports nothing of itself, as the event log does. */
function deliveredOf(hop: Hop, now: number): Delivered | undefined {
  if (hop.kind !== 'delivered') return undefined;
  const { trigger, attempt, status, headers, event } = hop;
  const ms = Math.round(hop.ms * 10) / 10;
  const at = new Date(now - hop.ms).toISOString();
  const cold = headers['knudge-cold-ms'];
  const ofMesh = { attempt, at, ms, status, ...(cold !== undefined && { coldMs: Number(cold) }) };
  const said = saidIn(headers[deliveryHeader]);
  if (said !== undefined) return { ...said, ...ofMesh };
  const name = trigger.slice(trigger.lastIndexOf('/') + 1);
  if ((status >= 200 && status < 300) || ofLog.has(name)) return undefined;
  const { id = '', source = '' } = event.attributes;
  const nothing = { reads: 0, writes: 0, parents: [], written: [] };
  return { event: { id, source }, function: name, ...ofMesh, outcome: 'no-answer', ...nothing };
}

/** Triggers and Subscriptions of the log itself. */
const ofLog: ReadonlySet<string> = new Set(['event-recorded', 'event-log']);

function saidIn(header: string | undefined): Delivered | undefined {
  try {
    return header === undefined ? undefined : readDelivery(JSON.parse(header));
  } catch {
    // A function of somebody else may say anything.
    return undefined;
  }
}
