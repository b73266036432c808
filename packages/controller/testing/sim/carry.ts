import type { Ending } from '../../cluster/exchange.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import { type Meddler, meddle } from '../calls/meddle.ts';
import { answerInstead, jsonOf, shortened } from '../calls/spoilt-answer.ts';
import type { Fault, Meddling } from '../fault.ts';
import type { VirtualClock } from './clock.ts';
import { keyOf, type SimulatedCluster } from './cluster.ts';

import type { Recorder } from './recorder.ts';
import type { PendingCall } from './run.ts';
import { ending, fromWire, onWire, type Replied, spoilt } from './spoil.ts';

export interface CarryParts {
  readonly cluster: SimulatedCluster;
  readonly clock: VirtualClock;
  readonly recorder: Recorder;
  readonly meddler: Meddler;
  /** Ends the process that made the call. */
  readonly kill: (call: PendingCall) => void;
}

const nothing: Replied = { status: 0, headers: {}, body: undefined };

/** Carries one call out, with what befalls it, and gives the handler what it sees of it. */
export async function carry(call: PendingCall, fault: Fault | undefined, parts: CarryParts): Promise<void> {
  const seen = await endingOf(call, fault, parts);
  if (seen !== undefined) call.end(seen);
}

/** How the call ends for the handler; undefined where that comes later, or never. */
async function endingOf(call: PendingCall, fault: Fault | undefined, parts: CarryParts): Promise<Ending | undefined> {
  if (fault === undefined) return ending(effect(call, undefined, parts));
  const { action } = fault;
  switch (action.do) {
    case 'crash':
      perhaps(call, fault, parts);
      parts.kill(call);
      return undefined;
    case 'hang':
      perhaps(call, fault, parts);
      parts.clock.after(call.sending.timeout, () => call.end({ kind: 'timed-out' }));
      return undefined;
    case 'reset':
      perhaps(call, fault, parts);
      return { kind: 'broken', sent: true, answering: false, cause: new Error('read ECONNRESET') };
    case 'answer':
      return ending(perhaps(call, fault, parts));
    case 'garble':
      return spoilt(effect(call, fault, parts), action.how);
    case 'delay':
      delay(call, fault, { ...parts, ms: action.ms });
      return undefined;
    case 'stale':
      return ending(staleAnswer(call, fault, parts));
    case 'shorten':
      return ending(effect(call, fault, { ...parts, seenOf: (answer) => fewer(answer, action.to) }));
    case 'meddle':
      return ending(await meddled(call, fault, { ...parts, how: action.how }));
  }
}

/** As JSON, as every whole answer: what a handler makes of it is asked of the trace. */
function fewer(answer: Replied, to: 'nothing' | 'half'): Replied {
  const left = shortened(onWire(answer), to);
  return { ...fromWire(left), body: jsonOf(left) };
}

/** A fault after the call lets the server carry it out; one before it does not. The handler sees `seen`. */
function perhaps(call: PendingCall, fault: Fault, parts: CarryParts): Replied {
  const seen = fault.action.do === 'answer' ? fromWire(answerInstead(fault.action)) : nothing;
  if (fault.when === 'after') effect(call, fault, { ...parts, seenOf: () => seen });
  else record(call, { at: parts.recorder.tick(), fault, done: nothing, seen }, parts.recorder);
  return seen;
}

async function meddled(
  call: PendingCall,
  fault: Fault,
  parts: CarryParts & { readonly how: Meddling },
): Promise<Replied> {
  const { how, meddler } = parts;
  if (fault.when === 'before') await meddle(how, call.described, meddler);
  const answer = effect(call, fault, parts);
  if (fault.when === 'after') await meddle(how, call.described, meddler);
  return answer;
}

/** The caller may have lost patience before the server begins, or before its answer comes. */
function delay(call: PendingCall, fault: Fault, parts: CarryParts & { readonly ms: number }): void {
  const { clock, ms } = parts;
  const { timeout } = call.sending;
  if (timeout < ms) clock.after(timeout, () => call.end({ kind: 'timed-out' }));
  const begin = (): Replied => effect(call, fault, { ...parts, seenOf: (answer) => (timeout < ms ? nothing : answer) });
  if (fault.when === 'before') {
    clock.after(ms, () => call.end(ending(begin())));
    return;
  }
  const answer = begin();
  clock.after(ms, () => call.end(ending(answer)));
}

/** Asks the API server; gives what the handler sees of its answer. */
function effect(
  call: PendingCall,
  fault: Fault | undefined,
  { cluster, recorder, seenOf = (answer) => answer }: CarryParts & { readonly seenOf?: (answer: Replied) => Replied },
): Replied {
  const { run, path, query, sending } = call;
  const before = recorder.by;
  const at = recorder.tick();
  recorder.by = { who: 'run', run: run.id, call: at };
  const done = cluster.ask({ method: sending.method, path, query, headers: sending.headers, body: sending.body ?? '' });
  recorder.by = before;
  const seen = seenOf(done);
  record(call, { at, fault, done, seen }, recorder);
  return seen;
}

/** What was true before the last change: another version, absence, or what is gone by now. */
function staleAnswer(call: PendingCall, fault: Fault, parts: CarryParts): Replied {
  const { ref } = call.described;
  const { namespace, name, apiVersion, kind } = ref;
  const earlier = parts.cluster.earlier(keyOf({ apiVersion, kind, metadata: { namespace, name } }));
  if (earlier === undefined) return effect(call, fault, parts);
  parts.recorder.staleReads = true;
  return effect(call, fault, {
    ...parts,
    seenOf: (answer) => staleFor(earlier.object, apiVersion) ?? gone(answer),
  });
}

function staleFor(object: KubeObject | undefined, apiVersion: string): Replied | undefined {
  if (object === undefined) return undefined;
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, body: { ...object, apiVersion } };
}

function gone(answer: Replied): Replied {
  const body = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason: 'NotFound',
    message: 'not found',
    code: 404,
  };
  return { ...answer, status: 404, body };
}

interface Happened {
  readonly at: number;
  readonly fault: Fault | undefined;
  readonly done: Replied;
  readonly seen: Replied;
}

function record({ run, described, query, body }: PendingCall, happened: Happened, recorder: Recorder): void {
  const { at, fault, done, seen } = happened;
  recorder.call({
    at,
    run: run.id,
    ...described,
    query: Object.fromEntries(query),
    body,
    done: { status: done.status, body: done.body },
    seen: { status: seen.status, body: seen.body },
    ...(fault && { fault: `${fault.when} ${fault.action.do}` }),
  });
}
