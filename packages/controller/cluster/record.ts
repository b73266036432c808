import { asKnudgeError, type KnudgeError } from '../domain/errors.ts';
import type { KubeObject } from '../domain/kube-object.ts';
import type { Notice } from '../domain/plan.ts';
import type { Transport } from './call.ts';
import { createObject } from './create.ts';
import { eventFor } from './event.ts';

export interface Recorder {
  /** The name of the Pod or the process that reports. */
  readonly instance: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Gets the error of an Event that could not be written; nothing else follows from it. */
  readonly onLost: (error: KnudgeError, notice: Notice) => void;
}

/** Writes an Event about an object, once for each version of it. Never fails: Events are for people. */
export async function recordNotice(
  transport: Transport,
  { about, notice }: { readonly about: KubeObject; readonly notice: Notice },
  { instance, now, onLost }: Recorder,
): Promise<void> {
  try {
    await createObject(transport, eventFor(about, notice, { now: new Date(now()).toISOString(), instance }));
  } catch (thrown) {
    const error = asKnudgeError(thrown);
    if (error.code !== 'already-exists') onLost(error, notice);
  }
}
