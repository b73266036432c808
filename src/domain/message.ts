// Generated from crds/messages.yaml by `npm run types`; do not edit.
import type { Condition } from './conditions.ts';
import type { KubeObject } from './kube-object.ts';

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
  /** What is true of the Message, one entry a question, each with its reason. */
  readonly conditions?: readonly Condition[];
}
