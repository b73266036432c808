import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { DescribedCall } from '../../../packages/controller/testing/calls/describe-call.ts';
import { type ApiAnswer, jsonOf } from '../../../packages/controller/testing/calls/spoilt-answer.ts';
import type { Fault } from '../../../packages/controller/testing/fault.ts';
import type { TracedCall } from '../../../packages/controller/testing/trace.ts';
import { type Acting, act, actsBefore, type Verdict } from './act.ts';
import type { Past } from './past.ts';
import type { Upstream } from './upstream.ts';

/** A request of an instance. */
export interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** With the query, as the API server gets it. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  /** What the body says. */
  readonly json: unknown;
  readonly call: DescribedCall;
}

export interface Handling {
  readonly upstream: Upstream;
  /** Those that hit this call. */
  readonly faults: readonly Fault[];
  readonly past: Past;
  readonly meddle: Acting['meddle'];
  readonly tick: () => number;
  readonly from: { readonly run: number; readonly isDead: () => boolean; readonly kill: () => void };
  readonly onDone: (call: Omit<TracedCall, 'seen'>, served: number) => void;
  readonly record: (call: TracedCall) => void;
}

interface Ending {
  /** When the server answered, or when it was clear that it would not be asked. */
  readonly at: number;
  readonly done: ApiAnswer | undefined;
  readonly verdict: Verdict;
}

/** Lets one call through, or has its faults hit it, and records what became of it. */
export async function handleCall(asked: Asked, handling: Handling): Promise<void> {
  let givenUp = Number.POSITIVE_INFINITY;
  const note = (): void => {
    givenUp = handling.tick();
  };
  asked.request.socket.once('close', note);
  const facts = (served: number, done: ApiAnswer | undefined): Omit<TracedCall, 'seen'> => {
    const fault = handling.faults.map(nameOf).join(', ');
    return {
      // A client that has given up goes on: what it does then comes after this call, however late the server begins with it.
      at: Math.min(served, givenUp),
      run: handling.from.run,
      verb: asked.call.verb,
      resource: asked.call.resource,
      ref: asked.call.ref,
      query: Object.fromEntries(asked.query),
      body: asked.json,
      done: factsOf(done),
      ...(fault !== '' && { fault }),
    };
  };
  const { at, done, verdict } = await pass(asked, {
    ...handling,
    served: (served, answer) => handling.onDone(facts(served, answer), served),
  });
  const call = facts(at, done);
  asked.request.socket.removeListener('close', note);
  const seen = await end(asked, verdict, handling);
  handling.record({ ...call, seen: factsOf(seen) });
}

interface Passing extends Handling {
  /** Called as soon as the server has answered. */
  readonly served: (at: number, answer: ApiAnswer) => void;
}

async function pass(asked: Asked, passing: Passing): Promise<Ending> {
  const { faults, tick, from } = passing;
  const { socket } = asked.request;
  const pause = (ms: number): Promise<void> => sleep(ms);
  for (const { action } of faults.filter(actsBefore)) {
    const verdict = await act(action, { ...passing, pause, call: asked.call, answer: undefined });
    if (verdict.kind !== 'goes-on') return { at: tick(), done: undefined, verdict };
  }
  if (from.isDead()) return { at: tick(), done: undefined, verdict: { kind: 'reset' } };
  const done = await forward(asked, passing);
  const at = tick();
  passing.served(at, done);
  let answer = done;
  for (const { action } of faults.filter((fault) => !actsBefore(fault))) {
    // An answer that nobody waits for any more need not come.
    const wait = (ms: number): Promise<void> => Promise.race([sleep(ms), closed(socket)]);
    const verdict = await act(action, { ...passing, pause: wait, call: asked.call, answer });
    if (verdict.kind === 'answered') answer = verdict.answer;
    else if (verdict.kind !== 'goes-on') return { at, done, verdict };
  }
  return { at, done, verdict: { kind: 'answered', answer } };
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.destroyed) resolve();
    else socket.once('close', () => resolve());
  });
}

async function forward({ request, path, body, call }: Asked, { upstream, past }: Handling): Promise<ApiAnswer> {
  const kept = ['accept', 'content-type', 'user-agent'].flatMap((name) => {
    const value = request.headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  const answer = await upstream({
    method: request.method ?? '',
    path,
    headers: Object.fromEntries(kept),
    body: body === '' ? undefined : body,
  });
  const object = answer.status < 300 ? (jsonOf(answer) as Partial<KubeObject> | undefined) : undefined;
  if (object?.kind === call.ref.kind && object.metadata?.resourceVersion !== undefined) past.saw(object as KubeObject);
  return answer;
}

/** Ends the call for whom it came from; gives the answer that arrived there. */
async function end({ request, response }: Asked, verdict: Verdict, { from }: Handling): Promise<ApiAnswer | undefined> {
  const { socket } = request;
  if (verdict.kind === 'crash') from.kill();
  const isCut = verdict.kind === 'reset' || from.isDead() || socket.destroyed;
  if (isCut) {
    if (!socket.destroyed) socket.resetAndDestroy();
    return undefined;
  }
  if (verdict.kind !== 'answered') {
    // A client that waits for an answer gives up some day, or the proxy closes.
    await closed(socket);
    return undefined;
  }
  const { status, contentType, headers, text } = verdict.answer;
  const length = Buffer.byteLength(text);
  const sent = Promise.withResolvers<boolean>();
  response.once('finish', () => sent.resolve(true));
  response.once('close', () => sent.resolve(false));
  response.writeHead(status, { 'content-type': contentType, 'content-length': length, ...headers }).end(text);
  return (await sent.promise) ? verdict.answer : undefined;
}

function factsOf(answer: ApiAnswer | undefined): TracedCall['seen'] {
  if (answer === undefined) return { status: 0, body: undefined };
  const { status, text } = answer;
  const json = text.length > longestJson ? undefined : jsonOf(answer);
  return { status, body: json ?? text.slice(0, mostKept) };
}

/** Characters: what is longer was made so by a fault. */
const longestJson = 8 * 1024 * 1024;
/** Characters of an answer that is no JSON. */
const mostKept = 1000;

/** `before crash`: how a fault is called in a trace. */
function nameOf({ action, when }: Fault): string {
  return `${when} ${action.do}`;
}
