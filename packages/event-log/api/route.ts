import type { Outgoing } from '../../controller/domain/change.ts';
import type { EventLog, LogReader } from '../../controller/domain/event-log.ts';
import type { Clock } from '../replay/clock.ts';
import type { Check } from './admit.ts';
import type { ConsoleFiles } from './console.ts';
import type { Feed } from './feed.ts';
import type { LogAnswer, LogRequest } from './request.ts';
import type { StreamTiming } from './stream.ts';

export interface LogApiParts {
  readonly log: LogReader & Pick<EventLog, 'mark'>;
  /** Sends an event to the Broker. */
  readonly send: (event: Outgoing) => Promise<void>;
  readonly check?: Check;
  /** The clock of a replay; the machine's by default. */
  readonly clock?: Clock;
  /** Says when there is something new; if absent, streams look once a second. */
  readonly feed?: Feed;
  readonly streams?: Partial<StreamTiming>;
  /** The pages of the console; if absent, there is no console. */
  readonly files?: ConsoleFiles;
}

/** One address of the interface; a GET answers a HEAD too. */
export interface LogRoute {
  readonly method: 'GET' | 'POST';
  /** As express has it. */
  readonly path: string;
  /** Answers a person or a program that was admitted, within ten seconds. Fails with a KnudgeError. */
  readonly answer: (request: LogRequest, parts: LogApiParts) => Promise<LogAnswer>;
}
