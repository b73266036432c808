import { Agent, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import type { MeshState } from '../../packages/mesh/state.ts';
import { bearerOf } from '../../test/mesh/way-in.ts';

export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  readonly contentType?: string;
}

/** The fields of an object that a bench reads. */
export interface Named {
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** An API server over HTTP, in the requests of kubectl. */
export interface Kube {
  /** Returns the body of the answer; rejects for any status but 2xx. */
  call(call: Call): Promise<unknown>;
  /** Server-side apply as kubectl sends it. */
  apply(path: string, body: object): Promise<unknown>;
  /** From now on; resolves, when the watch stands, with the function that stops it. `ended` is called after a stop or the server's end. */
  watch(path: string, seen: (type: string, object: Named) => void, ended?: () => void): Promise<() => void>;
  close(): void;
}

/** A server, the way to reach it, and the credentials. */
export interface Server {
  readonly url: string;
  readonly request: typeof request;
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
}

export function connect({ apiServer, kubeconfig }: MeshState): Kube {
  return kubeOf({ url: apiServer, request, agent: new Agent({ keepAlive: true }), headers: bearerOf(kubeconfig) });
}

export function kubeOf({ url, request: ask, agent, headers: shown }: Server): Kube {
  const open = ({ method, path, body, contentType = 'application/json' }: Call): Promise<IncomingMessage> => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      'content-type': contentType,
      'content-length': Buffer.byteLength(text),
      accept: 'application/json',
      ...shown,
    };
    ask(`${url}${path}`, { method, agent, headers }, resolve).on('error', reject).end(text);
    return promise;
  };
  const call = async (one: Call): Promise<unknown> => {
    const response = await open(one);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    if ((response.statusCode ?? 0) >= 300) throw new Error(`${one.method} ${one.path}: ${text}`);
    return JSON.parse(text) as unknown;
  };
  return {
    call,
    apply: (path, body) =>
      call({
        method: 'PATCH',
        path: `${path}?fieldManager=kubectl&fieldValidation=Strict&force=false`,
        body,
        contentType: 'application/apply-patch+yaml',
      }),
    watch: async (path, seen, ended = () => undefined) => {
      const { metadata } = (await call({ method: 'GET', path: `${path}?limit=1` })) as {
        readonly metadata: { readonly resourceVersion: string };
      };
      const from = `${path}?watch=true&resourceVersion=${metadata.resourceVersion}`;
      const response = await open({ method: 'GET', path: from });
      response.on('error', () => undefined);
      response.once('close', ended);
      createInterface({ input: response }).on('line', (line) => {
        const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: Named };
        seen(type, object);
      });
      return () => response.destroy();
    },
    close: () => agent.destroy(),
  };
}

/** This many writers work through the items, each one at a time. */
export async function byWriters<Item>(
  items: readonly Item[],
  writers: number,
  write: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  const work = async (): Promise<void> => {
    for (const item of left) await write(item);
  };
  await Promise.all(Array.from({ length: writers }, work));
}

/** Counts distinct names that a watch reports as added; resolves with the time of the last. Rejects after a minute. */
export async function untilAdded(
  kube: Kube,
  path: string,
  { count, isWanted }: { readonly count: number; readonly isWanted: (name: string) => boolean },
): Promise<{ readonly done: Promise<number> }> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const names = new Set<string>();
  const stop = await kube.watch(path, (type, { metadata: { name } }) => {
    if (type !== 'ADDED' || !isWanted(name)) return;
    names.add(name);
    if (names.size === count) resolve(performance.now());
  });
  const timer = setTimeout(
    () => reject(new Error(`only ${String(names.size)} of ${String(count)} came in 60 s`)),
    60_000,
  );
  const done = promise.finally(() => {
    clearTimeout(timer);
    stop();
  });
  return { done };
}
