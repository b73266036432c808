import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type Posted, post } from '../broker/post.ts';
import { type Ended, requestOf, type Sending } from './otlp.ts';

export interface ExportParts extends Sending {
  /** Where OTLP over HTTP takes traces, such as http://collector:4318/v1/traces. */
  readonly endpoint: string;
  /** Sent with each request, such as a token. */
  readonly headers: Readonly<Record<string, string>>;
  /** Calls back after these milliseconds. */
  readonly after: (ms: number, task: () => void) => unknown;
  /** Gets how many spans the collector took. */
  readonly sent: (spans: number) => void;
  /** Gets how many spans are lost, and why. */
  readonly lost: (spans: number, why: string) => void;
}

export interface Exporter {
  add(span: Ended): void;
  /** Sends what waits. Never rejects. */
  flush(): Promise<void>;
}

/** The most spans that wait, and that one request has; milliseconds that a span waits for others, and a request for its answer. */
export const limits = { waiting: 2048, batch: 512, collectMs: 1000, timeoutMs: 10_000 } as const;

/**
 * Sends spans in batches, one request at a time, after the answers that they are about: no event waits for it. What the collector
 * does not take at the first try is lost, and counted: a trace is worth less than what would wait behind it.
 */
export function createExporter(parts: ExportParts): Exporter {
  const { after, sent, lost } = parts;
  const send = sendingTo(parts);
  let waiting: Ended[] = [];
  let sending: Promise<void> | undefined;
  let isDue = false;

  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, limits.batch);
      waiting = waiting.slice(limits.batch);
      const why = whyNot(await send(batch));
      if (why === undefined) sent(batch.length);
      else lost(batch.length, why);
    }
  };
  const flush = (): Promise<void> => {
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
    return sending;
  };
  const add = (span: Ended): void => {
    if (waiting.length >= limits.waiting) {
      lost(1, `more than ${String(limits.waiting)} wait`);
      return;
    }
    waiting.push(span);
    if (waiting.length >= limits.batch) void flush();
    if (isDue) return;
    isDue = true;
    after(limits.collectMs, () => {
      isDue = false;
      void flush();
    });
  };
  return { add, flush };
}

function sendingTo(parts: ExportParts): (batch: readonly Ended[]) => Promise<Posted> {
  const url = new URL(parts.endpoint);
  const agent = new (url.protocol === 'https:' ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1 });
  const headers = { ...parts.headers, 'content-type': 'application/json' };
  return (batch) => {
    const event = { headers, body: requestOf(batch, parts) };
    return post({ url, event, agent, timeoutMs: limits.timeoutMs });
  };
}

function whyNot(posted: Posted): string | undefined {
  switch (posted.kind) {
    case 'answered':
      return posted.status >= 200 && posted.status < 300 ? undefined : `it answered ${String(posted.status)}`;
    case 'timed-out':
      return 'it did not answer in time';
    case 'broken':
      return posted.cause.message;
  }
}
