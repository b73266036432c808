import type { Server } from 'node:http';
import { Writable } from 'node:stream';
import type { Logger } from 'pino';
import request from 'supertest';
import type { BuiltEvent } from '../../../../test/build/event.ts';
import type { Change } from '../../domain/change.ts';
import type { Outcome } from '../../domain/plan.ts';
import { createApp } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { timer } from '../../server/deadline.ts';
import type { Reporter } from '../../server/deliveries.ts';
import { createDryRuns } from '../../server/dry-runs.ts';
import type { EventTracer } from '../../server/event-trace.ts';
import type { HandleOptions, Reaction } from '../../server/handle-event.ts';
import type { PathsReaction } from '../../server/handle-paths.ts';
import type { QuestionReaction } from '../../server/handle-question.ts';
import { createLog } from '../../server/log.ts';
import type { Metrics } from '../../server/metrics.ts';
import { createMetrics } from '../../server/metrics.ts';

export type LogLine = Readonly<Record<string, unknown>>;

export interface Started {
  readonly app: Server;
  readonly lines: readonly LogLine[];
  readonly calls: readonly { readonly change: Change; readonly options: HandleOptions }[];
  readonly drain: { begun: boolean };
  readonly metrics: Metrics;
}

export interface StartParts {
  readonly handle?: (change: Change, options: HandleOptions) => Promise<readonly Outcome[]>;
  readonly kinds?: readonly string[];
  /** Instead of handle and kinds. */
  readonly reaction?: Reaction | QuestionReaction | PathsReaction;
  readonly env?: Readonly<Record<string, string>>;
  readonly report?: Reporter;
  readonly traces?: EventTracer;
}

export const done: Outcome = { result: 'done', reads: 3, writes: 1 };

/** A server of a function that takes Messages, with its log lines and the changes that reached the function. */
export function startApp({
  handle,
  kinds = ['Message'],
  reaction,
  env = {},
  report,
  traces,
}: StartParts = {}): Started {
  const { log, lines } = collectLog(env);
  const calls: { change: Change; options: HandleOptions }[] = [];
  const drain = { begun: false };
  const now = () => performance.now();
  const metrics = createMetrics({ now, reconciles: {} });
  const app = createApp({
    stem: 'message-changed',
    reaction: reaction ?? {
      to: 'change',
      takes: ({ kind }) => kinds.includes(kind),
      handle: async (change, options) => {
        calls.push({ change, options });
        return handle === undefined ? [done] : handle(change, options);
      },
    },
    config: readConfig(env),
    dryRuns: createDryRuns({ ...readConfig(env), asksForTokens: false }),
    log,
    metrics,
    drain,
    now,
    after: timer,
    report,
    traces,
  });
  return { app, lines, calls, drain, metrics };
}

/** A log whose lines a test can look at. */
export function collectLog(env: Readonly<Record<string, string>> = {}): { log: Logger; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, callback) {
      lines.push(JSON.parse(chunk.toString('utf8')) as LogLine);
      callback();
    },
  });
  return { log: createLog(readConfig(env), destination), lines };
}

/** Posts a request exactly as it is. */
export function post(app: Server, { headers, body }: BuiltEvent, path = '/') {
  const sent = request(app).post(path).set(headers);
  return body.length === 0 ? sent : sent.serialize((data: unknown) => data as string).send(body);
}
