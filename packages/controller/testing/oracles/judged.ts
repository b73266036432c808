import type { Resource } from '../../decide/resource.ts';
import { resourceIn } from '../../decide/resource-in.ts';
import { controllerOf, groupOf, type KubeObject, type ObjectRef } from '../../domain/kube-object.ts';
import type { Trace, TracedCall } from '../trace.ts';

/** A run, and what it is held to. */
export interface Judged {
  readonly trace: Trace;
  /** The same scenario without a fault; the very same where that is judged. */
  readonly clean: Trace;
  readonly resources: readonly Resource[];
  /** Whether what went wrong stays, so that the end is another. */
  readonly altersEnd: boolean;
}

/** Gives what is wrong, a sentence each. */
export type Judge = (judged: Judged) => readonly string[];

/** One text for an object, whatever the version it was named in. */
export function keyOf({ apiVersion, kind, namespace, name }: ObjectRef): string {
  return `${groupOf(apiVersion)}/${kind}/${namespace}/${name}`;
}

/** The uid of the parent that controls an object, if it is one of these resources. */
export function parentUidOf(object: KubeObject, resources: readonly Resource[]): string | undefined {
  const owner = controllerOf(object);
  return owner !== undefined && resourceIn(resources, owner) !== undefined ? owner.uid : undefined;
}

export const isRead = ({ verb }: Pick<TracedCall, 'verb'>): boolean => verb === 'get' || verb === 'list';
export const isOk = (status: number): boolean => status >= 200 && status < 300;
export const isStatus = ({ resource }: Pick<TracedCall, 'resource'>): boolean => resource.endsWith('/status');

/** Of an Event for people: neither its coming nor its failing says anything of the work. */
export const isNotice = ({ resource }: Pick<TracedCall, 'resource'>): boolean => resource === 'events';

/** The caller had given it up before the server began: for the run it was long over. */
const isBelated = ({ fault = '', seen }: TracedCall): boolean => fault.includes('before delay') && seen.status === 0;

/** The calls of each run as it made them, without Events for people. */
export function runsOf({ calls }: Trace): readonly (readonly TracedCall[])[] {
  return [
    ...Map.groupBy(
      calls.filter((call) => !isNotice(call) && !isBelated(call)),
      ({ run }) => run,
    ).values(),
  ];
}
