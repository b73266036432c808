import { Agent, request } from 'node:http';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { message, object } from '../../test/build/objects.ts';

export interface Target {
  readonly host: string;
  readonly port: number;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Milliseconds for one request of a bench, a cold start on a busy machine among them. */
const longestMs = 60_000;

const kept = new Agent({ keepAlive: true, maxSockets: 512 });

/** Milliseconds until the whole answer is there; throws for any status but 2xx. */
export function timeOf({ host, port, path = '/', headers = {} }: Target, sent: Sent): Promise<number> {
  return new Promise((done, failed) => {
    const began = performance.now();
    const all = { ...sent.headers, ...headers, 'content-length': String(Buffer.byteLength(sent.body)) };
    const asked = request(
      { host, port, path, method: 'POST', headers: all, agent: kept, timeout: longestMs },
      (answer) => {
        answer.resume();
        answer.once('error', failed);
        answer.once('end', () => {
          const { statusCode = 0 } = answer;
          if (statusCode >= 200 && statusCode < 300) done(performance.now() - began);
          else failed(new Error(`${host}:${String(port)}${path} answered ${String(statusCode)}`));
        });
      },
    );
    asked.once('timeout', () => asked.destroy(new Error(`${host}:${String(port)} does not answer`)));
    asked.once('error', failed);
    asked.end(sent.body);
  });
}

/** The same, one after the other. */
export async function timesOf(target: Target, sent: Sent, count: number): Promise<readonly number[]> {
  const all: number[] = [];
  for (let done = 0; done < count; done += 1) all.push(await timeOf(target, sent));
  return all;
}

/** This many side by side, each as soon as one is answered; milliseconds for all of them. */
export async function burstOf(
  target: Target,
  sent: Sent,
  { count, atOnce }: { readonly count: number; readonly atOnce: number },
): Promise<number> {
  let left = count;
  const began = performance.now();
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await timeOf(target, sent);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return performance.now() - began;
}

const attributes = {
  'content-type': 'application/json',
  'ce-specversion': '1.0',
  'ce-id': 'bench',
  'ce-type': 'dev.knative.apiserver.resource.update',
  'ce-source': '/bench',
  'ce-namespace': 'default',
};

/** The event that a source sends when an object has changed. */
export function eventOf(object: KubeObject): Sent {
  const { apiVersion, kind, metadata } = object;
  return {
    headers: { ...attributes, 'ce-kind': kind, 'ce-apiversion': apiVersion, 'ce-name': metadata.name },
    body: JSON.stringify(object),
  };
}

/** An unrelated Pod: its function reads and writes nothing. */
export const podOfNobody = eventOf(object('v1 Pod', 'bench', { metadata: { namespace: 'default', uid: 'u' } }));

/** A Message that is gone: its function asks the API server twice. */
export const messageGone = eventOf(message('bench-gone', 'gone', { namespace: 'default', uid: 'u', generation: 1 }));

/** The value below which this share of all values is. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
