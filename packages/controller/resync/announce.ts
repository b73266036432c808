import { type Outgoing, requestedType } from '../domain/change.ts';
import { asKnudgeError, type KnudgeError } from '../domain/errors.ts';
import type { KubeObject } from '../domain/kube-object.ts';
import type { Sender } from '../domain/ports.ts';

/** How many events are under way at a time: the default Broker answers only when the object has been reconciled. */
export const atOnce = 16;

export interface AnnounceWith {
  readonly sender: Sender;
  readonly round: string;
  /** The part of Knudge that asks after the objects, as the `source` of its events. */
  readonly source: string;
  /** RFC 3339. */
  readonly time: () => string;
  /** Whether to begin nothing more. */
  readonly isTimeUp: () => boolean;
  /** How many are begun although the time is up. */
  readonly least: number;
}

export interface Announced {
  /** How many objects from the beginning are dealt with, sent or not. */
  readonly dealtWith: number;
  readonly sent: number;
  readonly failures: readonly KnudgeError[];
}

/**
 * One event for each object, in order and some at a time, until the time is up. One that cannot be sent keeps no other
 * from its turn.
 */
export async function announce(objects: readonly KubeObject[], parts: AnnounceWith): Promise<Announced> {
  const failures: KnudgeError[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < parts.least || !parts.isTimeUp()) {
      const object = objects[next];
      if (object === undefined) return;
      next += 1;
      try {
        await parts.sender.send(requestOf(object, parts));
      } catch (error) {
        failures.push(asKnudgeError(error));
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, objects.length) }, work));
  return { dealtWith: next, sent: next - failures.length, failures };
}

/** The event that asks a function to look at one object anew. Its id is the same if the same tick comes twice. */
function requestOf({ apiVersion, kind, metadata }: KubeObject, { round, source, time }: AnnounceWith): Outgoing {
  const { name, namespace = '', uid = `${kind}/${namespace}/${name}` } = metadata;
  const extensions = { apiversion: apiVersion, kind, namespace, name };
  return { id: `${round}/${uid}`, type: requestedType, source, time: time(), extensions };
}
