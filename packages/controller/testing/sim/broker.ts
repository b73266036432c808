import type { Answer } from '../../server/respond.ts';
import type { VirtualClock } from './clock.ts';
import { eventIn, type SimulatedEvent } from './event.ts';
import type { Due } from './run.ts';

export interface BrokerParts {
  readonly clock: VirtualClock;
  /** What is delivered of an event. */
  readonly dueOf: (event: SimulatedEvent) => readonly Due[];
  /** What becomes of an event on its way from a source: usually it comes once. */
  readonly fate?: ((event: SimulatedEvent) => readonly SimulatedEvent[]) | undefined;
  /** See `SimulationParts`. */
  readonly coalesce?: boolean | undefined;
}

/** The Broker: what waits for a function, and what is tried again. */
export interface SimulatedBroker {
  readonly queue: Due[];
  /** An event from a source, a person or a function. */
  send(event: SimulatedEvent): void;
  /** What a function answered; undefined: its process died. */
  answered(due: Due, answer: Answer | undefined): void;
}

export function createBroker({
  clock,
  dueOf,
  fate = (event) => [event],
  coalesce = true,
}: BrokerParts): SimulatedBroker {
  const queue: Due[] = [];
  const send = (event: SimulatedEvent): void => {
    for (const due of fate(event).flatMap(dueOf)) {
      const same = coalesce ? queue.findIndex((one) => one.attempt === 0 && isSame(one, due)) : -1;
      if (same >= 0) queue.splice(same, 1);
      queue.push(due);
    }
  };
  return {
    queue,
    send,
    answered: (due, answer) => {
      const reply = answer && eventIn(answer);
      if (reply !== undefined) send(reply);
      if (!isRetried(answer?.status ?? 502) || due.attempt >= due.tries.retry) return;
      const waitMs = due.tries.backoffDelayMs * 2 ** due.attempt;
      clock.after(waitMs, () => void queue.push({ ...due, attempt: due.attempt + 1 }));
    },
  };
}

/** What Knative tries again. */
function isRetried(status: number): boolean {
  return status >= 500 || [404, 408, 409, 429].includes(status);
}

function isSame({ ref: first, stem }: Due, { ref: second, stem: other }: Due): boolean {
  if (first === undefined || second === undefined || stem !== other) return false;
  return first.name === second.name && first.namespace === second.namespace && first.kind === second.kind;
}
