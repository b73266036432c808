import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { asKnudgeError, KnudgeError } from '../../controller/domain/errors.ts';
import type { LogReader } from '../../controller/domain/event-log.ts';
import type { Feed } from './feed.ts';
import { readStream } from './read-query.ts';
import type { LogRequest } from './request.ts';
import { pouring } from './stream-pour.ts';
import { sourcesOf, watchLetters } from './stream-sources.ts';

/** Milliseconds. */
export interface StreamTiming {
  /** Between two looks into the store where nothing says that there is something new: another process may have written. */
  readonly look: number;
  readonly heartbeat: number;
  /** Of one answer: the time-out of the Knative Service, 40 s, ends a longer one. The client goes on with the next. */
  readonly longest: number;
  /** For a client that does not read; after that its connection is dropped. */
  readonly patience: number;
}

const usual: StreamTiming = { look: 1000, heartbeat: 15_000, longest: 30_000, patience: 20_000 };

/** Streams at a time: each looks into the store once a second. */
export const mostStreams = 20;

export interface StreamParts {
  readonly log: Pick<LogReader, 'events' | 'deadLetters'>;
  readonly feed: Feed;
  readonly leaving: () => boolean;
  readonly timing?: Partial<StreamTiming>;
}

/** Serves streams, a bounded number at a time. Fails with a KnudgeError before the answer has begun. */
export function createStreams(): (request: LogRequest, response: ServerResponse, parts: StreamParts) => Promise<void> {
  let open = 0;
  return async (request, response, parts) => {
    if (open >= mostStreams) {
      const advice = 'close one, or ask GET /events now and then';
      throw new KnudgeError('unavailable', `${mostStreams} streams are open, and no more at a time: ${advice}`);
    }
    open += 1;
    try {
      await serve(request, response, parts);
    } finally {
      open -= 1;
    }
  };
}

const headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  // A proxy that kept or gathered it would make it late.
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
} as const;

async function serve(request: LogRequest, response: ServerResponse, parts: StreamParts): Promise<void> {
  const { log, feed, leaving } = parts;
  const timing = { ...usual, ...parts.timing };
  const { filter, places } = readStream(request);
  const sources = sourcesOf(log, filter);
  const at = placesIn(await Promise.all(sources.map((source) => source.newest())), places);
  const letters = await watchLetters(log, filter, Date.now);
  const news = waiter();
  const unfollow = feed.follow((letter) => {
    if (letter !== undefined) letters.marked(letter);
    news.wake();
  });
  response.once('close', news.wake);
  response.writeHead(200, { ...headers, ...(leaving() && { connection: 'close' }) });
  const write = writerOf(response, timing.patience);
  const began = performance.now();
  const goesOn = (): boolean => !response.destroyed && !leaving() && performance.now() - began < timing.longest;
  const { place, pour, tell } = pouring({ sources, at, letters, goesOn, write });
  let beaten = began;
  try {
    await write(`retry: ${timing.look}\n${place()}: open\n\n`);
    while (request.method !== 'HEAD' && goesOn()) {
      await pour();
      if (!goesOn()) break;
      const now = performance.now();
      if (now - beaten >= timing.heartbeat) {
        beaten = now;
        await write(`${place()}: still here\n\n`);
      }
      await news.wait(timing.look);
    }
  } catch (thrown) {
    const { code, message } = asKnudgeError(thrown);
    await tell('failed', { code, message }).catch(() => undefined);
  } finally {
    unfollow();
    response.end();
  }
}

/**
 * Where each source begins: at the place that a client has, else at the newest. A client with a place of an event that the log has not
 * reached was at another log, as before a new file was begun: it gets this one from its beginning.
 */
function placesIn(newest: readonly number[], places: readonly number[]): number[] {
  const [event = 0] = places;
  if (event > (newest[0] ?? 0)) return newest.map(() => 0);
  return newest.map((last, index) => Math.min(places[index] ?? last, last));
}

/** Waits for a wake-up, at most some milliseconds; one that came before counts. */
function waiter(): { wake(): void; wait(ms: number): Promise<void> } {
  let isDue = false;
  let go: (() => void) | undefined;
  return {
    wake: () => {
      isDue = true;
      go?.();
    },
    wait: async (ms) => {
      if (!isDue) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          go = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isDue = false;
      go = undefined;
    },
  };
}

/** Writes, and waits while the client does not read; drops a client that takes too long, which comes again where it was. */
function writerOf(response: ServerResponse, patience: number): (text: string) => Promise<void> {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return async (text) => {
    if (response.destroyed || response.write(text)) return;
    const signal = AbortSignal.any([AbortSignal.timeout(patience), closed.signal]);
    await once(response, 'drain', { signal }).catch(() => response.destroy());
  };
}
