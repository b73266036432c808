import type { Watched } from '../../../packages/source/collection.ts';
import type { Entry } from './cluster.ts';
import type { Told } from './sink.ts';

/** An event that was sent, and which entry of the watch's log it is about. */
export interface Heard {
  readonly told: Told;
  /** How many were sent before it. */
  readonly order: number;
  readonly entry: Entry;
  /** Of the log. */
  readonly index: number;
}

/** All about one object of one watch. */
export interface Course {
  readonly watched: Watched;
  readonly place: string;
  readonly log: readonly Entry[];
  readonly heard: readonly Heard[];
}

/** What functions look at, said anew here. */
export function viewOf({ type, uid, version, object }: Entry, { metadataOnly }: Watched): string {
  if (type === 'DELETED') return 'gone';
  const { metadata, status, ...rest } = object as Entry['object'] & { readonly status?: { readonly phase?: string } };
  return metadataOnly ? `${version}` : JSON.stringify([uid, metadata.labels, rest, status?.phase]);
}

/** An event in words. */
export function say({ life, verb, kind, place, uid, version }: Told): string {
  return `${verb} ${kind} ${place} ${uid} ${version} by process ${life}`;
}

/** Several of them, short. */
export function saidOf(heard: readonly Heard[]): string {
  return heard.map(({ told: { life, verb, uid, version } }) => `${life}:${verb}-${uid}-${version}`).join(' ');
}
