import type { Api } from '../../../kube-api/api.ts';
import type { Ending, Sending } from '../../cluster/exchange.ts';
import type { Outgoing } from '../../domain/change.ts';
import type { Outside } from '../../react/outside.ts';
import type { SimulatedEvent } from './event.ts';
import type { Instance } from './instance.ts';
import type { Chance } from './random.ts';
import type { Due } from './run.ts';

/** What a process of functions is started with. */
export interface StartWith {
  readonly outside: Outside;
  readonly chance: Chance;
  readonly exchange: (sending: Sending) => Promise<Ending>;
  /** Takes an event for the Broker. */
  readonly send: (event: Outgoing) => Promise<void>;
  /** Takes each line of the log. */
  readonly say: (line: string) => void;
}

export interface WatchParts {
  readonly api: Api;
  readonly newId: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly send: (event: SimulatedEvent) => void;
}

/** What runs in a simulation: functions, by their stems, and what wakes them. */
export interface Functions {
  /** The process that serves a function. */
  readonly serviceOf: (stem: string) => string;
  readonly start: (service: string, parts: StartWith) => Instance;
  /** Sends an event for each change from now on; gives the way to stop. */
  readonly watch: (parts: WatchParts) => () => void;
  /** What is delivered of an event, to which functions. */
  readonly dueOf: (event: SimulatedEvent) => readonly Due[];
}
