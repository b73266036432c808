import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { stubCertificate } from '../../tools/build/stub-certificate.ts';
import type { Collection } from './objects.ts';

/** An API server for a source: lists in pages, and watches on which nothing happens. */
export interface QuietApi {
  readonly port: number;
  /** The authority that signed its certificate, in PEM. */
  readonly authority: string;
  /** Watches that are open. */
  readonly watches: () => number;
  /** Answered pages of lists, without those of one object. */
  readonly pages: () => number;
  /** Forgets all versions until now: a watch from one of them is answered 410. */
  readonly forget: () => void;
  readonly close: () => void;
}

/** It checks nothing, and makes each object for its answer, so that 100,000 of them take no memory here. */
export async function startQuietApi(collections: readonly Collection[]): Promise<QuietApi> {
  const { key, certificate } = await stubCertificate();
  const open = new Set<ServerResponse>();
  const state = { version: 1_000_000, oldest: 0, pages: 0 };
  const server = createServer({ key, cert: certificate, keepAliveTimeout: 600_000 }, (request, response) => {
    const asked = askedIn(request, collections);
    if (asked.query.get('watch') !== 'true') {
      if (asked.limit > 1) state.pages += 1;
      return send(response, 200, pageOf(asked, String(state.version)));
    }
    if (Number(asked.query.get('resourceVersion')) < state.oldest) return send(response, 410, expired);
    open.add(response);
    response.on('close', () => open.delete(response));
    holdOpen(response, { ...asked, version: String(state.version) });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    authority: certificate,
    watches: () => open.size,
    pages: () => state.pages,
    forget: () => {
      state.version += 1;
      state.oldest = state.version;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const expired = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', code: 410 };

interface Asked {
  readonly collection: Pick<Collection, 'apiVersion' | 'kind' | 'count' | 'make'>;
  readonly query: URLSearchParams;
  readonly limit: number;
}

const nothing = { apiVersion: 'v1', kind: 'Thing', count: 0, make: () => ({}) };

function askedIn({ url = '' }: IncomingMessage, collections: readonly Collection[]): Asked {
  const { pathname, searchParams: query } = new URL(url, 'https://stub');
  const selector = query.get('labelSelector') ?? '';
  const collection = collections.find((one) => one.path === pathname && one.selector === selector) ?? nothing;
  return { collection, query, limit: Number(query.get('limit')) };
}

function pageOf({ collection, query, limit }: Asked, resourceVersion: string): object {
  const { apiVersion, kind, count, make } = collection;
  const from = Number(query.get('continue') ?? '0');
  const length = Math.min(limit, count - from);
  const left = count - from - length;
  return {
    kind: `${kind}List`,
    apiVersion,
    metadata: { resourceVersion, ...(left > 0 && { continue: String(from + length), remainingItemCount: left }) },
    items: Array.from({ length }, (_, at) => make(from + at)),
  };
}

/** Sends a bookmark about once a minute, as a real one does, and ends when its time is up. */
function holdOpen(
  response: ServerResponse,
  { collection, query, version }: Asked & { readonly version: string },
): void {
  const { apiVersion, kind } = collection;
  const object = { kind, apiVersion, metadata: { resourceVersion: version } };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.flushHeaders();
  const end = (): void => void response.end(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
  setTimeout(end, Number(query.get('timeoutSeconds')) * 1000).unref();
}

function send(response: ServerResponse, status: number, body: object): void {
  const json = JSON.stringify(body);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) })
    .end(json);
}
