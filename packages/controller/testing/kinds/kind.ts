import { labels, manager } from '../../domain/names.ts';
import type { Action, Fault } from '../fault.ts';
import type { TracedCall } from '../trace.ts';

/** An API call of a run without faults. */
export interface CallSite extends Pick<TracedCall, 'verb' | 'resource' | 'ref' | 'done'> {
  /** Of an object that is reconciled. */
  readonly isOfParent?: boolean;
}

/** One way in which an API call can go wrong. */
export interface FaultKind {
  /** The row of the fault model and what happens: `W3-lost-answer`. */
  readonly id: string;
  /** In a sentence. */
  readonly says: string;
  readonly when: Fault['when'];
  readonly appliesTo: (call: CallSite) => boolean;
  readonly action: (call: CallSite) => Action;
  /** How many calls; 1 if absent; 'on' where it makes sense that it stays until the faults are lifted. */
  readonly times?: number | 'on';
  /** What comes of it, for the handler and in the cluster: kinds that agree here need not be tried in pairs. */
  readonly sees: (call: CallSite) => Sight;
}

/** What the handler can see of a call, and what is then true in the cluster: see sights.ts. */
export type Sight =
  | 'nothing'
  | 'dead-before'
  | 'dead-after'
  | 'read-failed'
  | 'unknown-undone'
  | 'unknown-done'
  | 'late'
  | 'conflict'
  | 'taken-by-ours'
  | 'taken-by-another'
  | 'gone'
  | 'replaced'
  | 'refused'
  | 'put-off'
  | 'old'
  | 'too-little'
  | 'input-gone'
  | 'parent-edited'
  | 'parent-deleted'
  | 'parent-recreated';

/** Where it shows the same in every call. */
export const always = (sight: Sight) => (): Sight => sight;

/** Where reads and writes fare differently. Of the writing of an Event nothing is seen: it is for people, and never fails. */
export const seen =
  (by: { readonly read: Sight; readonly write: Sight }) =>
  (call: CallSite): Sight => {
    if (isRead(call)) return by.read;
    return isEvent(call) ? 'nothing' : by.write;
  };

export const every = (): boolean => true;
export const isRead = ({ verb }: CallSite): boolean => verb === 'get' || verb === 'list';
export const isWrite = (call: CallSite): boolean => !isRead(call);
export const isList = ({ verb }: CallSite): boolean => verb === 'list';
export const isGet = ({ verb }: CallSite): boolean => verb === 'get';
export const isCreate = ({ verb }: CallSite): boolean => verb === 'create';
export const isEvent = ({ resource }: CallSite): boolean => resource === 'events';

/** A write over something that is there. */
export const isChange = (call: CallSite): boolean => isWrite(call) && !isCreate(call);

/** A write whose object the API server checks. */
export const isChecked = (call: CallSite): boolean => isWrite(call) && call.verb !== 'delete';

export const isOfParent = (call: CallSite): boolean => call.isOfParent === true;

/** A read or a write of an object that Knudge made and that is there. */
export function isOfLiveChild(call: CallSite): boolean {
  const { verb, done } = call;
  if (isOfParent(call) || isEvent(call) || done.status !== 200) return false;
  if (verb === 'delete') return true;
  return (isGet(call) || isChange(call)) && isOurs(done.body);
}

/** A read of a single object that somebody else made and that is there. */
export function isOfLiveInput(call: CallSite): boolean {
  return isGet(call) && !isOfParent(call) && call.done.status === 200 && !isOurs(call.done.body);
}

function isOurs(body: unknown): boolean {
  const { metadata } = body as { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } };
  return metadata?.labels?.[labels.managedBy] === manager;
}
