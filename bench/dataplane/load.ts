import { load } from '../load.ts';

export interface Target {
  readonly host: string;
  readonly port: number;
  /** The name in the requests' Host. */
  readonly name: string;
}

export interface Measured {
  readonly perSecond: number;
  /** The 99th percentile of the time from a request to its whole answer, in milliseconds. */
  readonly p99: number;
}

const connections = 32;

/** Sends this many requests over 32 keep-alive connections, each as soon as the last is answered. Throws if one fails. */
export async function measure({ name, ...to }: Target, total: number): Promise<Measured> {
  const times: number[] = [];
  const request = Buffer.from(`GET / HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
  const requests = Array.from({ length: connections }, () => request);
  const began = performance.now();
  // The backends answer without a body.
  await load({ ...to, requests, total, expected: 'HTTP/1.1 204', took: (ms) => void times.push(ms) });
  const seconds = (performance.now() - began) / 1000;
  const sorted = times.toSorted((a, b) => a - b);
  return { perSecond: total / seconds, p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN };
}
