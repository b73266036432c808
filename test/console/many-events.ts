import assert from 'node:assert/strict';
import { reconciledType } from '../../packages/controller/domain/delivery.ts';

const atOnce = 40;
const message = {
  apiVersion: 'myorg.dev/v1',
  kind: 'Message',
  spec: { text: 'Hello' },
  status: {
    phase: 'Processed',
    conditions: [{ type: 'Ready', status: 'True', reason: 'PodReady', message: 'It runs' }],
  },
};

/** Brings this many events into a real event log by its own address, as a Broker does, a quarter of a second apart, and what a function answered to each. */
export async function bringEvents(log: string, count: number): Promise<void> {
  const began = Date.now() - count * 250;
  const timeOf = (index: number): string => new Date(began + index * 250).toISOString();
  const bring = async (index: number): Promise<void> => {
    const name = `message-${index % 50}`;
    const about = { 'ce-kind': 'Message', 'ce-namespace': 'default', 'ce-name': name };
    const type = 'dev.knative.apiserver.resource.update';
    const metadata = {
      namespace: 'default',
      name,
      uid: `uid-${index % 50}`,
      resourceVersion: String(index),
      managedFields: [{ manager: index % 2 === 0 ? 'a-person' : 'knudge', operation: 'Apply', time: timeOf(index) }],
    };
    const data = { ...message, metadata, spec: { text: `Hello, ${index}` } };
    await post(log, { id: `many-${index}`, type, time: timeOf(index), about, data });
  };
  for (let index = 0; index < count; index += atOnce) {
    const indexes = Array.from({ length: Math.min(atOnce, count - index) }, (_, step) => index + step);
    await Promise.all(indexes.map(bring));
    const deliveries = indexes.map((one) => ({
      event: { id: `many-${one}`, source: '/many' },
      function: 'message-changed',
      attempt: 1,
      at: timeOf(one),
      ms: 3 + (one % 9),
      status: one % 97 === 0 ? 503 : 204,
      outcome: one % 97 === 0 ? 'unavailable' : one % 3 === 0 ? 'done' : 'ignored',
      reads: 2,
      writes: one % 3 === 0 ? 1 : 0,
      parents: [],
      written: [],
    }));
    await post(log, {
      id: `answers-${index}`,
      type: reconciledType,
      time: timeOf(index),
      about: {},
      data: { deliveries },
    });
  }
}

interface Brought {
  readonly id: string;
  readonly type: string;
  readonly time: string;
  readonly about: Readonly<Record<string, string>>;
  readonly data: object;
}

async function post(log: string, { id, type, time, about, data }: Brought): Promise<void> {
  const attributes = { 'ce-specversion': '1.0', 'ce-id': id, 'ce-source': '/many', 'ce-type': type, 'ce-time': time };
  const headers = { ...attributes, ...about, 'content-type': 'application/json' };
  const response = await fetch(`${log}/event-recorded`, { method: 'POST', headers, body: JSON.stringify(data) });
  assert.equal(response.status, 204, await response.text());
}
