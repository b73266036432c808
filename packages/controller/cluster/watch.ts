import { setTimeout as sleepFor } from 'node:timers/promises';
import { asKnudgeError, type KnudgeError } from '../domain/errors.ts';
import type { Access } from './access.ts';
import { type Connections, openConnections } from './connections.ts';
import { createTransport } from './transport.ts';
import { unlessAborted } from './unless-aborted.ts';
import { isStillToCome, versionNow } from './version-now.ts';
import { type WatchEvent, watchOnce } from './watch-stream.ts';

/** The state that the watch reports, only when it changes. */
export type WatchState = { readonly kind: 'watching' } | { readonly kind: 'blind'; readonly why: string };

export interface WatchOptions {
  readonly access: Access;
  /** The version of Knudge, for the User-Agent. */
  readonly version: string;
  /** The path of the collection: `/api/v1/pods`. */
  readonly path: string;
  /** The label selector as a query parameter; empty: everything. */
  readonly selector: string;
  /** Handles one change at a time, in order: the next is not read before this one is done. Must not reject. */
  readonly seen: (type: 'ADDED' | 'MODIFIED' | 'DELETED', object: WatchEvent['object']) => Promise<void>;
  readonly tell: (state: WatchState) => void;
  readonly pace?: Partial<WatchPace>;
  /** The version to continue from; absent or empty: unknown. */
  readonly from?: string;
  /**
   * Handles changes that were never reported, if no version is known or the known one has expired; returns the version to continue from.
   * Without it such changes are lost.
   */
  readonly relist?: () => Promise<string>;
  /** Called when all changes up to this version were handed to `seen`. */
  readonly reached?: (version: string) => void;
  /** Reads only the metadata of each object. */
  readonly metadataOnly?: boolean;
}

/** Times in milliseconds. */
export interface WatchPace {
  /** After this the API server ends a watch by itself, in whole seconds; spread by a tenth, so that not all end together. */
  readonly roundMs: number;
  /** Added to it: a connection that was silent for longer is dead. Also the longest wait for the first answer. */
  readonly graceMs: number;
  readonly firstBackoffMs: number;
  /** 30 s, as in client-go. */
  readonly longestBackoffMs: number;
  readonly maxLineBytes: number;
  /** From 0 to 1. */
  readonly random: () => number;
}

const usualPace: WatchPace = {
  roundMs: 60_000,
  graceMs: 10_000,
  firstBackoffMs: 800,
  longestBackoffMs: 30_000,
  // An object is at most some 3 MB: etcd takes 1.5 MB of its own form.
  maxLineBytes: 16 * 1024 * 1024,
  random: Math.random,
};

const metadataOnlyObject = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

/** The state of the watch. An empty version means: list first. */
interface Place {
  version: string;
  failures: number;
  renewed: boolean;
  isBlind: boolean | undefined;
}

/**
 * Watches one collection. Continues after a connection ends, breaks or dies silently. Without `from` it begins now and does not
 * report what is there already; without `relist`, changes after an expired version are lost silently, as in the real
 * ApiServerSource. `close` resolves when nothing more will be reported. Throws `internal` for plain HTTP to another machine.
 */
export function startWatch(options: WatchOptions): { close(): Promise<void> } {
  const ending = new AbortController();
  const watch = { ...options, pace: { ...usualPace, ...options.pace }, signal: ending.signal };
  const done = run(watch, openConnections(new URL(options.access.server)));
  return {
    close: async () => {
      ending.abort();
      await done;
    },
  };
}

type Watch = WatchOptions & { readonly pace: WatchPace; readonly signal: AbortSignal };

async function run(watch: Watch, connections: Connections): Promise<void> {
  const { access, version, signal } = watch;
  const transport = createTransport({ access, version });
  const place: Place = { version: watch.from ?? '', failures: 0, renewed: false, isBlind: undefined };
  let isDoubtful = true;
  while (!signal.aborted) {
    const began = performance.now();
    try {
      // The version may be of another cluster, or of a backup: a watch from a version that is still to come would wait silently.
      if (isDoubtful && watch.relist && (await isStillToCome(place.version, transport, watch))) place.version = '';
      isDoubtful = false;
      if (place.version === '') place.version = await (watch.relist?.() ?? versionNow(transport, watch));
      await follow(place, connections, watch);
      // A server that ends every watch at once must not be asked in a tight loop.
      if (performance.now() - began < watch.pace.firstBackoffMs) await pause(watch.pace.firstBackoffMs, signal);
    } catch (error) {
      isDoubtful = true;
      if (!signal.aborted) await recover(asKnudgeError(error), place, watch);
    }
  }
  connections.close();
  transport.close();
}

/** One watch request from the current place. */
async function follow(place: Place, connections: Connections, watch: Watch): Promise<void> {
  const { pace, signal, seen } = watch;
  const seconds = Math.max(1, Math.round((pace.roundMs * (0.9 + 0.2 * pace.random())) / 1000));
  const { agent, headers } = await proofOf(place, connections, watch);
  const events = watchOnce({
    url: urlOf(place, seconds, watch),
    headers,
    agent,
    signal,
    maxBytes: pace.maxLineBytes,
    quietMs: seconds * 1000 + pace.graceMs,
    openMs: pace.graceMs,
    opened: () => becomeWatching(place, watch),
  });
  for await (const { type, object } of events) {
    if (signal.aborted) return;
    if (type !== 'BOOKMARK') await unlessAborted(seen(type, object), signal);
    place.version = object.metadata.resourceVersion ?? '';
    watch.reached?.(place.version);
    place.failures = 0;
  }
  place.failures = 0;
}

async function proofOf(place: Place, connections: Connections, { access, version, metadataOnly }: Watch) {
  const credentials = await access.credentials(place.renewed);
  place.renewed = false;
  const { authorization, impersonate } = credentials;
  const headers = {
    accept: metadataOnly === true ? metadataOnlyObject : 'application/json',
    'user-agent': `knudge/${version}`,
    ...(authorization !== undefined && { authorization }),
    ...(impersonate !== undefined && { 'impersonate-user': impersonate }),
  };
  return { agent: connections.agentFor(credentials), headers };
}

function urlOf(place: Place, seconds: number, { access, path, selector }: Watch): URL {
  const url = new URL(`${access.server.replace(/\/$/, '')}${path}`);
  url.search = new URLSearchParams({
    watch: 'true',
    allowWatchBookmarks: 'true',
    resourceVersion: place.version,
    timeoutSeconds: String(seconds),
    ...(selector !== '' && { labelSelector: selector }),
  }).toString();
  return url;
}

function becomeWatching(place: Place, { tell }: Watch): void {
  if (place.isBlind !== false) tell({ kind: 'watching' });
  place.isBlind = false;
}

/** Waits longer from failure to failure. If the version cannot be used any more it begins again with a list. */
async function recover(error: KnudgeError, place: Place, { tell, pace, signal }: Watch): Promise<void> {
  const isLost = ['expired', 'too-large', 'unexpected-answer'].includes(error.code);
  if (isLost) place.version = '';
  place.renewed = error.code === 'unauthorized';
  // The first expiry is not reported: the real source does not report it either, and the watch sees again at once.
  const isSilent = error.code === 'expired' && place.failures === 0;
  if (!isSilent && place.isBlind !== true) {
    tell({ kind: 'blind', why: error.message });
    place.isBlind = true;
  }
  const longest = Math.min(pace.firstBackoffMs * 2 ** place.failures, pace.longestBackoffMs);
  place.failures += 1;
  await pause(Math.max(longest * (0.5 + pace.random() / 2), (error.retryAfterSeconds ?? 0) * 1000), signal);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleepFor(ms, undefined, { signal }).catch(() => undefined);
}
