// What others may use of the source: README.md.
export type { Watched } from './collection.ts';
export type { SourceEvent } from './event-of.ts';
export type { Happening } from './news.ts';
export { type PackWith, pack } from './pack.ts';
export type { Parcel } from './parcel.ts';
export { type ProcessParts, runSourceProcess, type SourceProcess } from './process.ts';
export { type RunningSource, runSource, type SourceOptions } from './run.ts';
export { createSend, type SendOptions } from './send.ts';
export { type Watching, type WatchWish, watchedOf } from './watched.ts';
