import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { stubCertificate } from './stub-certificate.ts';

export interface ApiStub {
  readonly port: number;
  /** The authority that signed its certificate, in PEM. */
  readonly authority: string;
  /** Connections taken so far. */
  readonly connections: () => number;
  readonly put: (path: string, object: StubObject) => void;
  readonly close: () => void;
}

interface StubObject {
  readonly metadata: { readonly name: string };
  readonly [field: string]: unknown;
}

type Objects = Map<string, StubObject>;

/**
 * As much of an API server as a function needs to run a reconcile to its end, over HTTPS on 127.0.0.1: objects are read,
 * created, patched and deleted by path, lists are empty. It checks nothing.
 */
export async function startApiStub(): Promise<ApiStub> {
  const { key, certificate } = await stubCertificate();
  const objects: Objects = new Map();
  let connections = 0;
  const server = createServer({ key, cert: certificate, keepAliveTimeout: 600_000 }, (request, response) => {
    answer(request, objects).then(
      (result) => send(response, result),
      () => response.destroy(),
    );
  });
  server.on('secureConnection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    authority: certificate,
    connections: () => connections,
    put: (path, object) => objects.set(path, versioned(object)),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

interface Result {
  readonly status: number;
  readonly body: unknown;
}

const notFound: Result = {
  status: 404,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'NotFound', code: 404 },
};

async function answer(request: IncomingMessage, objects: Objects): Promise<Result> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'https://stub');
  const body = await text(request);
  const sent = body === '' ? undefined : (JSON.parse(body) as StubObject);
  const path = pathname.replace(/\/status$/, '');
  if (request.method === 'POST' && sent !== undefined) return store(objects, `${path}/${sent.metadata.name}`, sent);
  if (searchParams.has('limit'))
    return { status: 200, body: { kind: 'List', apiVersion: 'v1', metadata: {}, items: [] } };
  const live = objects.get(path);
  if (live === undefined) return notFound;
  if (request.method === 'DELETE') objects.delete(path);
  if (request.method === 'PATCH' && sent !== undefined) {
    return store(objects, path, { ...live, ...sent, metadata: { ...live.metadata, ...sent.metadata } });
  }
  const isMetadata = request.headers.accept?.includes('PartialObjectMetadata') === true;
  return { status: 200, body: isMetadata ? { kind: 'PartialObjectMetadata', metadata: live.metadata } : live };
}

function store(objects: Objects, path: string, object: StubObject): Result {
  const stored = versioned(object);
  objects.set(path, stored);
  return { status: 200, body: stored };
}

let versions = 0;

function versioned(object: StubObject): StubObject {
  versions += 1;
  const version = String(versions);
  return {
    ...object,
    metadata: { uid: `uid-${version}`, ...object.metadata, resourceVersion: version } as StubObject['metadata'],
  };
}

function send(response: ServerResponse, { status, body }: Result): void {
  const json = JSON.stringify(body);
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) })
    .end(json);
}
