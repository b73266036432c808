import { readFile } from 'node:fs/promises';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Outgoing } from '../domain/change.ts';
import { type ErrorCode, KnudgeError } from '../domain/errors.ts';
import type { Sender } from '../domain/ports.ts';
import { secondsOf } from '../domain/retry-after.ts';
import { type Encoded, encode } from '../wire/encode.ts';
import { type Posted, post } from './post.ts';

export interface SenderOptions {
  /** The address of the Broker's ingress. */
  readonly sink: string;
  /** The file of the token that it is shown, read anew for each event, since it is renewed; absent or empty: none. */
  readonly tokenFile?: string;
  /** Gives that token instead, for each event. */
  readonly token?: () => Promise<string>;
  /** For one event with all its tries, in milliseconds. */
  readonly timeoutMs: number;
  /** Milliseconds before each further try; none for a sender with a better plan. */
  readonly waits?: readonly number[];
  /** At most this many events begin in a second, evenly; without it there is no limit. */
  readonly perSecond?: number;
  readonly sleep?: (ms: number) => Promise<void>;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/** The Broker does the long waiting, and the resync is what heals. */
const usualWaits = [100, 400] as const;

const connections = { keepAlive: true, maxSockets: 16, keepAliveMsecs: 30_000, scheduling: 'lifo' } as const;

/**
 * Sends events to a Broker, in binary mode over few keep-alive connections. A broken connection and an answer that
 * Knative retries too are tried again twice, within the time-out; silence uses all of it up.
 */
export function createSender(options: SenderOptions): Sender & { close(): void } {
  const { sink, timeoutMs, waits = usualWaits, sleep = wait, now = monotonic } = options;
  const url = new URL(sink);
  const agent = url.protocol === 'https:' ? new HttpsAgent(connections) : new HttpAgent(connections);
  const interval = options.perSecond === undefined ? 0 : 1000 / options.perSecond;
  let turn = now();
  const send = async (event: Outgoing): Promise<void> => {
    const token = await tokenOf(options);
    const encoded = withToken(encode(event), token);
    const early = turn - now();
    turn = Math.max(turn, now()) + interval;
    if (early > 0) await sleep(early);
    const deadline = now() + timeoutMs;
    for (let tries = 0; ; tries += 1) {
      const posted = await post({ url, event: encoded, agent, timeoutMs: Math.max(deadline - now(), 1) });
      if (isTaken(posted)) return;
      const ms = waits[tries];
      if (ms === undefined || !isWorthRepeating(posted) || now() + ms >= deadline)
        throw failure(posted, { timeoutMs, isShown: token !== undefined });
      await sleep(ms);
    }
  };
  return { send, close: () => agent.destroy() };
}

async function tokenOf({ token, tokenFile = '' }: SenderOptions): Promise<string | undefined> {
  if (token !== undefined) return token();
  return tokenFile === '' ? undefined : tokenIn(tokenFile);
}

async function tokenIn(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    const advice = 'mount a ServiceAccount token there, or leave K_SINK_TOKEN_FILE out';
    throw new KnudgeError('unavailable', `the token for the Broker cannot be read from ${file}: ${advice}`, { cause });
  }
}

function withToken(event: Encoded, token: string | undefined): Encoded {
  return token === undefined ? event : { ...event, headers: { ...event.headers, authorization: `Bearer ${token}` } };
}

function isTaken(posted: Posted): boolean {
  return posted.kind === 'answered' && posted.status >= 200 && posted.status < 300;
}

/** What Knative's own senders try again (knative/eventing `pkg/kncloudevents/retries.go`). */
function isWorthRepeating(posted: Posted): boolean {
  return posted.kind !== 'answered' || posted.status >= 500 || [404, 408, 409, 429].includes(posted.status);
}

interface Tried {
  readonly timeoutMs: number;
  /** Whether a token was shown. */
  readonly isShown: boolean;
}

function failure(posted: Posted, { timeoutMs, isShown }: Tried): KnudgeError {
  switch (posted.kind) {
    case 'answered':
      return answeredFailure(posted, isShown);
    case 'timed-out':
      return new KnudgeError('unavailable', `the Broker did not answer an event within ${timeoutMs} ms`);
    case 'broken':
      return new KnudgeError('unavailable', `the Broker cannot be reached: ${posted.cause.message}`, {
        cause: posted.cause,
      });
  }
}

function answeredFailure({ status, retryAfter }: Extract<Posted, { kind: 'answered' }>, isShown: boolean): KnudgeError {
  const code = ofTheEvent[status];
  if (code !== undefined) return new KnudgeError(code, `the Broker answered ${status}: it does not take this event`);
  const seconds = secondsOf(retryAfter, Date.now());
  return new KnudgeError(
    isWorthRepeating({ kind: 'answered', status }) ? 'unavailable' : 'unexpected-answer',
    `the Broker answered ${status} to an event: ${adviceOn(status, isShown)}`,
    seconds === undefined ? {} : { retryAfterSeconds: seconds },
  );
}

/** Where Knative asks senders for tokens it answers 401 to no good one, and 403 to one that no EventPolicy names. */
function adviceOn(status: number, isShown: boolean): string {
  if (status === 403) return 'no EventPolicy of it lets this sender in, see "Tokens for events" in docs/install.md';
  if (status !== 401) return 'is this the address of its ingress?';
  const what = isShown ? 'it does not take the token that it was shown' : 'it asks for a token, and was shown none';
  return `${what}, see "Tokens for events" in docs/install.md`;
}

/** What an ingress says to one event and not to the next. */
const ofTheEvent: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid-event',
  413: 'too-large',
  415: 'unsupported-media-type',
  422: 'invalid-event',
  431: 'too-large',
};

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function monotonic(): number {
  return performance.now();
}
