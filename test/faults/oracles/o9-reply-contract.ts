import { resyncTypes } from '../../../packages/controller/domain/change.ts';
import type { ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import type { Oracle, Trace, TracedAnswer, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { findings, nameOf, pick } from '../../../packages/controller/testing/trace-words.ts';
import {
  hasSucceeded,
  isBelated,
  isNotice,
  isOk,
  isRead,
  isRefused,
  keyOf,
  parentsOf,
  roleKeysOf,
} from './accessors.ts';
import { resourceOf } from './managed.ts';
import { type Pass, passesOf, writesOf } from './passes.ts';
import { endedEarly } from './resync-round.ts';

/**
 * O9: what a function answers. A success only when the last look at each parent found nothing to do or all of it was
 * done; a failure that a new try can mend with 503 or 429 and `Retry-After`; what can never be understood with a 4xx;
 * never 404, 408 or 409, which the Broker would try again; and never an error of more than 512 bytes.
 */
export const replyContract: Oracle = (trace) => {
  const { found, say } = findings('O9');
  for (const answer of trace.answers) {
    if (answer.status === 0) continue;
    const told = [
      formBreach(answer),
      poisonBreach(answer),
      unfinished(answer, trace),
      endedEarly(answer, trace),
      unexplained(answer, trace),
    ];
    for (const what of told) {
      if (what !== undefined) say(`${answer.stem} answered ${String(answer.status)}: ${what}`, answer.at);
    }
  }
  return found;
};

const allowed: ReadonlySet<number> = new Set([200, 204, 400, 405, 413, 415, 429, 500, 503]);

/** Measured on Knative's dispatcher: a longer body than 768 bytes makes it panic; docs/errors.md promises 512. */
const longestBody = 512;

function formBreach({ status, headers, body }: TracedAnswer): string | undefined {
  if (!allowed.has(status)) return 'it is none of the statuses that a function answers with';
  if (status === 204) return body === '' ? undefined : 'it has a body';
  const names = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  if (status === 200) {
    const isEvent = ['ce-id', 'ce-type', 'ce-source', 'ce-specversion'].every((name) => names.has(name));
    return isEvent ? undefined : 'it is no event, so the Broker takes it for a failure';
  }
  if (Buffer.byteLength(body) > longestBody) return `its body has ${String(Buffer.byteLength(body))} bytes`;
  if (!isErrorBody(body)) return 'its body is not {code, message}';
  const isLater = status === 503 || status === 429;
  return isLater && !/^\d+$/.test(names.get('retry-after') ?? '') ? 'it does not say when to try again' : undefined;
}

function isErrorBody(body: string): boolean {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof pick(parsed, 'code') === 'string' && typeof pick(parsed, 'message') === 'string';
  } catch {
    return false;
  }
}

/** An event without a type cannot be read at all; one with a type of ours or of the source can. */
function poisonBreach({ status, event }: TracedAnswer): string | undefined {
  const isTurnedAway = status >= 400 && status < 500 && status !== 429;
  if (event.type === '') return isTurnedAway ? undefined : 'what it was sent is no event, so it must be refused';
  return isTurnedAway && isInOrder(event) ? 'the event was in order, and is lost by this' : undefined;
}

/** It names an object that there can be, or is a tick. A continuation of the resync carries data, which may be wrong. */
function isInOrder({ type, ref }: TracedAnswer['event']): boolean {
  if (ref === undefined) return type === resyncTypes.tick;
  return [ref.namespace, ref.name].every((name) => /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(name));
}

function unfinished(answer: TracedAnswer, trace: Trace): string | undefined {
  if (!isOk(answer.status) || answer.event.type === '') return undefined;
  const failed = failedCall(
    trace.calls.filter(({ run, at }) => run === answer.run && at < answer.at),
    trace,
  );
  if (failed !== undefined) return `${failed.verb} of ${failed.resource} ${nameOf(failed.ref)} had failed`;
  const passes = passesOf(trace).filter(({ run, followed }) => run === answer.run && !followed);
  const open = passes.find(isUnproven);
  if (open !== undefined) return `${nameOf(open.parent)} was left before its status was written`;
  return hasLooked(answer, trace) ? undefined : 'nobody has looked at the object';
}

/**
 * The last answer to a call of its kind was a failure, and the work did not begin anew after it. A write that was refused
 * for good is done with.
 */
function failedCall(calls: readonly TracedCall[], trace: Trace): TracedCall | undefined {
  const own = calls.filter((call) => !isNotice(call) && !isBelated(call));
  return own.find((call, index) => {
    if (isOk(call.seen.status) || saysNothingIsThere(call) || saysAnotherWasFirst(call)) return false;
    const later = own.slice(index + 1);
    const isRepeated = later.some((other) => isSame(call, other));
    // After a write that failed all is read again, and maybe that very write is not needed any more.
    const isReadAgain =
      !isRead(call) &&
      (isLookedAt(call.ref, later) || isDecidedAnew(call, { before: own.slice(0, index), later, trace }));
    return !isRefused(call) && !isRepeated && !isReadAgain;
  });
}

/** Of two who make one Claim the API server takes one. Who comes second has lost nothing, and looks whose it is. */
function saysAnotherWasFirst({ verb, resource, seen }: TracedCall): boolean {
  return verb === 'create' && resource === 'claims' && seen.status === 409;
}

/** An object that is not there is an answer, and so is a kind of parents that is not served now: then there are none to wake. */
function saysNothingIsThere({ verb, ref, seen }: TracedCall): boolean {
  return seen.status === 404 && (verb === 'get' || (verb === 'list' && resourceOf(ref) !== undefined));
}

function isLookedAt(ref: ObjectRef, calls: readonly TracedCall[]): boolean {
  return calls.some((call) => call.verb === 'get' && keyOf(call.ref) === keyOf(ref));
}

/** What is nobody's child, as an authority, is read only where its parent names it: one that was read before is read again. */
function isDecidedAnew(
  { ref }: TracedCall,
  { before, later, trace }: { before: readonly TracedCall[]; later: readonly TracedCall[]; trace: Trace },
): boolean {
  const parents = parentsOf(trace);
  if (parents.some((parent) => keyOf(parent) === keyOf(ref) || roleKeysOf(parent).has(keyOf(ref)))) return false;
  return parents.some((parent) => isLookedAt(parent, before) && isLookedAt(parent, later));
}

function isSame(one: TracedCall, other: TracedCall): boolean {
  const isCall = one.verb === other.verb && one.resource === other.resource && keyOf(one.ref) === keyOf(other.ref);
  const selectors = ['labelSelector', 'fieldSelector'];
  return isCall && (one.verb !== 'list' || selectors.every((key) => one.query[key] === other.query[key]));
}

/** Children were written, and neither the status nor the finalizers of the parent after them. */
function isUnproven(pass: Pass): boolean {
  const writes = writesOf(pass);
  const last = writes.at(-1);
  if (last === undefined || last.role === 'owner' || pass.lacks) return false;
  return hasSucceeded(last.call);
}

/**
 * A parent's own event is answered only when somebody read the parent after it came: its run, or one that it shared; or when it is
 * about a version that Knudge wrote itself, or read in a run that ended well: the run that wrote or read it has decided about it.
 */
function hasLooked({ event, began, at, stem }: TracedAnswer, { answers, calls }: Trace): boolean {
  const { ref, version } = event;
  if (ref === undefined || resourceOf(ref) === undefined || !stem.startsWith(stemOf(ref.kind))) return true;
  // The work goes on where the time of its answer was up.
  const endedWell = new Set(
    answers.filter(({ status, body }) => isOk(status) || body.includes('not done within')).map(({ run }) => run),
  );
  const isKnown = calls.some(
    (call) => call.at < at && (!isRead(call) || endedWell.has(call.run)) && versionIn(call) === version,
  );
  if (version !== undefined && isKnown) return true;
  const key = keyOf(ref);
  return calls.some((call) => call.at >= began && call.at <= at && call.verb === 'get' && keyOf(call.ref) === key);
}

function versionIn({ seen }: TracedCall): string {
  return `${String(pick(seen.body, 'metadata', 'uid'))} ${String(pick(seen.body, 'metadata', 'resourceVersion'))}`;
}

function stemOf(kind: string): string {
  return kind.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
}

/** A fault of ours that no answer of the API server explains, and a throttled run that says something else. */
function unexplained({ status, run, began, at, body }: TracedAnswer, { calls }: Trace): string | undefined {
  const during = calls.filter((call) => call.at >= began && call.at <= at && !isNotice(call));
  if (status === 500) {
    const isExplained = during.some(
      ({ seen, fault }) => fault !== undefined || (seen.status >= 400 && seen.status !== 404),
    );
    return isExplained ? undefined : 'nothing that was answered to it explains a fault of ours';
  }
  // Where time was up, it does not matter what the run was waiting for.
  if (status !== 503 || body.includes('not done within')) return undefined;
  const own = during.filter((call) => call.run === run);
  const failures = own.filter(({ seen, verb }) => !isOk(seen.status) && !(verb === 'get' && seen.status === 404));
  if (failures.length > 0 && failures.every((call) => isRefused(call)) && !body.includes('"conflict"')) {
    return 'all that had failed was refused for good, which no new try can mend';
  }
  const isThrottled = own.at(-1)?.seen.status === 429 && failures.every(({ seen }) => seen.status === 429);
  return isThrottled ? 'the API server had asked for patience, so it must be 429' : undefined;
}
