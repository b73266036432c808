import type { CloudEvent } from '../cloud-event.ts';
import type { TriggerSpec } from '../mesh-spec.ts';

export interface IngressAnswer {
  readonly status: number;
  readonly message?: string;
  /** Set on an error if some of the Triggers that want the event have delivered it. */
  readonly isTakenBySome?: true;
}

/** The part that differs between the classes of Brokers. */
export interface Accepting {
  /** Resolves when the event is accepted, in the sense of the class. The ingress has checked it. Never rejects. */
  accept(event: CloudEvent): Promise<IngressAnswer>;
  /** From the next event on it has these Triggers; false if this class has those of its start until its end. */
  follow(triggers: readonly TriggerSpec[]): boolean;
  /** Begins no further delivery; resolves when those under way are over. */
  drain(): Promise<void>;
  /** Abandons at once what is not over. */
  close(): void;
}
