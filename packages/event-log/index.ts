// What others may use of the event log: README.md.
export { type LogOverHttp, logOverHttp, type OverHttpParts } from './api/over-http.ts';
export { readOldestFirst, type Selection } from './replay/read.ts';
export { type ReplayParts, type ReplayResult, replay } from './replay/replay.ts';
export type {
  DeadLetter,
  EventFilter,
  EventLog,
  LogReader,
  Outgoing,
  PageRequest,
  Received,
  RecordedEvent,
} from './store/nouns.ts';
export { type LogPlace, openEventLog } from './store/open.ts';
export { readSqlite } from './store/sqlite.ts';
export { type Verdict, verify } from './store/verify.ts';
