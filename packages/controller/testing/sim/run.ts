import type { Ending, Sending } from '../../cluster/exchange.ts';
import type { ObjectRef } from '../../domain/kube-object.ts';
import type { Answer } from '../../server/respond.ts';
import { type DescribedCall, describeCall, withCreatedName } from '../calls/describe-call.ts';
import type { Delivery } from './event.ts';
import type { Instance } from './instance.ts';

/** An event on its way to a function. */
export interface Due<Stem extends string = string> {
  /** Of the function. */
  readonly stem: Stem;
  readonly delivery: Delivery;
  readonly id: string;
  readonly type: string;
  readonly ref?: ObjectRef;
  /** Counted from 0. */
  readonly attempt: number;
  /** Of its Trigger, exponential. */
  readonly tries: { readonly retry: number; readonly backoffDelayMs: number };
}

/** A process of the functions of one Knative Service. */
export interface Process {
  readonly service: string;
  readonly instance: Instance;
  dead: boolean;
}

/** One invocation: it stands still until its oldest call is carried out. */
export interface Run {
  readonly id: number;
  readonly due: Due;
  readonly process: Process;
  readonly began: number;
  readonly beganMs: number;
  readonly calls: PendingCall[];
  answer: Answer | undefined;
}

/** An API call that waits for its turn. */
export interface PendingCall {
  readonly run: Run;
  readonly described: DescribedCall;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly sending: Sending;
  /** Gives the handler what came of it; only the first time counts. */
  readonly end: (ending: Ending) => void;
}

/** A call of a run, ready to be carried out. */
export function pendingCall(run: Run, sending: Sending, end: (ending: Ending) => void): PendingCall {
  const { method, url, headers } = sending;
  const { pathname: path, searchParams: query } = url;
  const body: unknown = sending.body === undefined ? undefined : JSON.parse(sending.body);
  const line = { method, path, query, contentType: headers['content-type'] };
  return { run, described: withCreatedName(describeCall(line), body), path, query, body, sending, end };
}
