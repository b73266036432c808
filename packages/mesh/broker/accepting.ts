import type { CloudEvent } from '../cloud-event.ts';

export interface IngressAnswer {
  readonly status: number;
  readonly message?: string;
}

/** The part in which the classes of Brokers differ. */
export interface Accepting {
  /** Resolves when the event is accepted, in the sense of the class. It has passed the checks of the ingress. Never rejects. */
  accept(event: CloudEvent): Promise<IngressAnswer>;
  /** Begins no delivery any more; resolves when those that have begun are over. */
  drain(): Promise<void>;
  /** Leaves at once what is not over. */
  close(): void;
}
