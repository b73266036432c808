import { secondsOf } from '../domain/retry-after.ts';
import type { Access } from './access.ts';
import { type Call, type Called, isRead, type Transport } from './call.ts';
import { type Clock, createClock } from './clock.ts';
import { conclude } from './conclude.ts';
import { type Connections, openConnections } from './connections.ts';
import { type Answer, type Ending, exchange as exchangeOverHttp, type Sending } from './exchange.ts';
import { jsonText } from './json-text.ts';

export interface TransportOptions {
  readonly access: Access;
  /** The version of Knudge, for the User-Agent. */
  readonly version: string;
  /** Milliseconds for one call with all its tries; 5000 if absent. */
  readonly timeoutMs?: number;
  /** Milliseconds that one call may wait in all because the API server throttles; 1000 if absent. */
  readonly throttleBudgetMs?: number;
  /** The longest answer in bytes; 32 MiB if absent: 250 objects of a page are seldom a tenth of it. */
  readonly maxAnswerBytes?: number;
  readonly onCall?: (called: Called) => void;
  /** Does all traffic with the API server; over HTTP if absent. */
  readonly exchange?: (sending: Sending) => Promise<Ending>;
  readonly sleep?: (ms: number) => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** The time and the renewals that one call has used up. */
interface Tries {
  deadline: number;
  renewed: boolean;
  repeated: boolean;
  throttled: number;
  waitedMs: number;
}

type Sender = TransportOptions & { readonly call: Call };

/** The first wait after a 429 without a useful Retry-After; each further one is twice as long. */
const firstWaitMs = 100;

/**
 * Calls to the API server over few keep-alive connections. After a 401 it tries once more with renewed credentials, after a 429
 * after its Retry-After within the budget, and a read once more after a broken connection or a 5xx. A write is never repeated once
 * it may have arrived: then it fails with `outcome-unknown`, and only a read can show the outcome.
 */
export function createTransport(options: TransportOptions): Transport & Pick<Clock, 'now'> & { close(): void } {
  const { access, timeoutMs = 5000, now = Date.now } = options;
  const connections = openConnections(new URL(access.server));
  const clock = createClock(now);
  const send = async (call: Call) => {
    const tries = { deadline: now() + timeoutMs, renewed: false, repeated: false, throttled: 0, waitedMs: 0 };
    for (;;) {
      const ending = await attempt(call, tries, { ...options, connections, clock });
      if (!(await isWorthRepeating(ending, tries, { ...options, call })))
        return conclude(call, ending, { now: now(), timeoutMs });
    }
  };
  return Object.assign(send, { close: connections.close, now: clock.now });
}

async function attempt(
  call: Call,
  tries: Tries,
  options: TransportOptions & { connections: Connections; clock: Clock },
): Promise<Ending> {
  const { access, connections, onCall, exchange = exchangeOverHttp, now = Date.now } = options;
  const asked = now();
  const credentials = await access.credentials(tries.renewed);
  const body = call.body === undefined ? undefined : jsonText(call.body);
  const { authorization, impersonate } = credentials;
  const began = now();
  // The time that a command or a person takes to give credentials does not count against the API server.
  tries.deadline += began - asked;
  const ending = await exchange({
    url: urlOf(access.server, call),
    method: call.method,
    headers: {
      accept: call.accept ?? 'application/json',
      'user-agent': `knudge/${options.version}`,
      ...(authorization !== undefined && { authorization }),
      ...(impersonate !== undefined && { 'impersonate-user': impersonate }),
      ...(body !== undefined && {
        'content-type': call.contentType ?? 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      }),
    },
    body,
    agent: connections.agentFor(credentials),
    timeout: Math.max(tries.deadline - began, 1),
    maxBytes: options.maxAnswerBytes ?? 32 * 1024 * 1024,
  });
  if (ending.kind === 'answered') options.clock.hear(ending.answer.date);
  const status = 'status' in ending ? ending.status : 0;
  onCall?.({ verb: call.verb, resource: call.resource, status, ms: now() - began });
  if (ending.kind === 'answered') call.hear?.(Buffer.byteLength(ending.answer.text));
  return ending;
}

function urlOf(server: string, { path, query = {} }: Call): URL {
  const url = new URL(`${server.replace(/\/$/, '')}${path}`);
  url.search = new URLSearchParams(query).toString();
  return url;
}

/** Whether another try may end better; waits before a throttled one. */
async function isWorthRepeating(ending: Ending, tries: Tries, { call, ...options }: Sender): Promise<boolean> {
  if (ending.kind === 'broken') return !ending.answering && mayRepeat(call, tries);
  if (ending.kind !== 'answered') return false;
  if (ending.status === 401 && !tries.renewed) {
    tries.renewed = true;
    return true;
  }
  if (ending.status === 429) return waitForTurn(ending.answer, tries, options);
  return ending.status >= 500 && mayRepeat(call, tries);
}

function mayRepeat(call: Call, tries: Tries): boolean {
  if (!isRead(call) || tries.repeated) return false;
  tries.repeated = true;
  return true;
}

/** A throttled call was not carried out, so it may be sent again, read or write. */
async function waitForTurn({ retryAfter }: Answer, tries: Tries, options: TransportOptions): Promise<boolean> {
  const { throttleBudgetMs = 1000, sleep = wait, now = Date.now } = options;
  const asked = (secondsOf(retryAfter, now()) ?? 0) * 1000;
  const ms = Math.max(asked, firstWaitMs * 2 ** tries.throttled);
  const isTooLong = tries.waitedMs + ms > throttleBudgetMs || now() + ms >= tries.deadline;
  if (isTooLong) return false;
  tries.throttled += 1;
  tries.waitedMs += ms;
  await sleep(ms);
  return true;
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
