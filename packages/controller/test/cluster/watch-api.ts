import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startWatch, type WatchOptions, type WatchState } from '../../cluster/watch.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import { type Reply, type Seen, serve } from './loopback.ts';

/** An API server of one test: answers lists with a version, and keeps watches open until the test says otherwise. */
export interface WatchApi {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** The queries of all watches so far. */
  watches(path?: string): readonly URLSearchParams[];
  lists(path?: string): readonly URLSearchParams[];
  /** Sends an event on every open watch of this path. */
  push(path: string, type: string, object: unknown): void;
  /** Sends bytes as they are. */
  pushRaw(path: string, bytes: string | Buffer): void;
  /** Ends every open watch, in good order or not. */
  end(how?: 'end' | 'destroy'): void;
  /** Answers the next requests of this kind so, once each. */
  next(what: 'watch' | 'list', ...replies: readonly (Reply | 'silence')[]): void;
  /** What lists are answered with from now on. */
  version: string;
}

/** Replies for paths that are neither list nor watch. */
type Others = Readonly<Record<string, unknown>>;

export async function serveWatches(t: TestContext, others: Others = {}): Promise<WatchApi> {
  const open = new Map<ServerResponse, string>();
  const planned = { watch: [] as (Reply | 'silence')[], list: [] as (Reply | 'silence')[] };
  const server = await serve(t, ({ url }, response): Reply | undefined => {
    const { pathname, searchParams } = new URL(url, 'http://api');
    if (Object.hasOwn(others, pathname)) return { body: others[pathname] };
    const isWatch = searchParams.get('watch') === 'true';
    const reply = planned[isWatch ? 'watch' : 'list'].shift();
    if (reply !== undefined) return reply === 'silence' ? undefined : reply;
    if (!isWatch) return { body: { kind: 'List', metadata: { resourceVersion: api.version }, items: [] } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.flushHeaders();
    open.set(response, pathname);
    response.on('close', () => open.delete(response));
    return undefined;
  });
  const queries = (isWatch: boolean, path?: string): readonly URLSearchParams[] =>
    server.seen
      .map(({ url }) => new URL(url, 'http://api'))
      .filter(({ pathname, searchParams }) => {
        return (searchParams.get('watch') === 'true') === isWatch && (path === undefined || path === pathname);
      })
      .map(({ searchParams }) => searchParams);
  const pushRaw = (path: string, bytes: string | Buffer): void => {
    for (const [response, at] of open) if (at === path) response.write(bytes);
  };
  const api: WatchApi = {
    url: server.url,
    seen: server.seen,
    version: '10',
    watches: (path) => queries(true, path),
    lists: (path) => queries(false, path),
    push: (path, type, object) => pushRaw(path, `${JSON.stringify({ type, object })}\n`),
    pushRaw,
    end: (how = 'end') => {
      for (const response of open.keys()) response[how]();
    },
    next: (what, ...replies) => void planned[what].push(...replies),
  };
  return api;
}

export function pod(name: string, resourceVersion: string, metadata: Partial<KubeObject['metadata']> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'shop', resourceVersion, ...metadata } };
}

export const path = '/api/v1/pods';

/** Quick enough for a test: rounds of a second, back-off from 5 ms. */
const pace = { roundMs: 1000, graceMs: 200, firstBackoffMs: 5, longestBackoffMs: 40, random: () => 0.5 };

/** A watch for one test, and what it reports. */
export async function watching(t: TestContext, api: WatchApi, options: Partial<WatchOptions> = {}) {
  const [seen, states]: [string[], WatchState[]] = [[], []];
  const watch = startWatch({
    access: { server: api.url, credentials: async () => ({}) },
    version: '1.2.3',
    path,
    selector: '',
    seen: async (type, { metadata }) => void seen.push(`${type} ${metadata.name} ${metadata.resourceVersion}`),
    tell: (state) => states.push(state),
    ...options,
    pace: { ...pace, ...options.pace },
  });
  t.after(() => watch.close());
  await eventually('the watch stands or fails', () => states.length > 0);
  return { seen, states, watch, kinds: () => states.map(({ kind }) => kind) };
}

/** Waits at most five seconds for something to become true. */
export async function eventually(what: string, check: () => boolean): Promise<void> {
  for (let waited = 0; waited < 5000; waited += 5) {
    if (check()) return;
    await sleep(5);
  }
  throw new Error(`within 5 s it did not happen that ${what}`);
}
