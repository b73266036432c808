// Generated from crds/messages.yaml by `npm run types`; do not edit.
import type { Condition } from '../../packages/controller/domain/conditions.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';

/** A Message is a text that a Pod prints again and again. */
export interface Message extends KubeObject {
  readonly spec: MessageSpec;
  readonly status?: MessageStatus;
}

/** What the Message should say. */
export interface MessageSpec {
  /**
   * The text to print, of up to 4096 characters: any Unicode but NUL. It is printed as it is, never run as a command.
   */
  readonly text: string;
}

/** What the controller has seen and done. */
export interface MessageStatus {
  /** How far the controller is with this Message. */
  readonly phase?: 'Pending' | 'Processed' | 'Failed';
  /** The generation of the spec that this status speaks of. */
  readonly observedGeneration?: number;
  /** The Pod that prints the text. */
  readonly podName?: string;
  /**
   * How many Pods were made in a row for this generation, none of which was ready for ten minutes: 1 where all is well.
   * From the second on there is a pause before the next.
   */
  readonly attempts?: number;
  /** When the last of them was made; absent while the next is on its way. */
  readonly lastAttempt?: string;
  /**
   * What was written of late, and how often. More than twelve times a minute without a reason is a loop.
   *
   * Items: One object.
   */
  readonly recentWrites?: readonly {
    /** Its kind and name; status and finalizers are those of this object. */
    readonly object: string;
    /** How often it was written. */
    readonly count: number;
    /** Since when; of what is held back, when it was written last. */
    readonly since: string;
    /** A hash of what it was made from. */
    readonly inputs: string;
  }[];
  /** What is true of the Message, one entry a question, each with its reason. */
  readonly conditions?: readonly Condition[];
}
