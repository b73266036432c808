/** What the log keeps and is asked for, as those name it who import the package. */
export type { Outgoing, Received } from '../../controller/domain/change.ts';
export type {
  DeadLetter,
  EventFilter,
  EventLog,
  LogReader,
  PageRequest,
  RecordedEvent,
} from '../../controller/domain/event-log.ts';
