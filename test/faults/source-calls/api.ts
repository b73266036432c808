import type { ServerResponse } from 'node:http';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { nameOf, type Watched } from '../../../packages/source/collection.ts';
import { type Cluster, type Entry, present } from './cluster.ts';
import type { Arrived } from './network.ts';
import { watched } from './script.ts';

/** What an API server does with a request or a line of a watch, besides what it should. */
export type ApiFault =
  | { readonly does: 'answer'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly does: 'reset' | 'tear' | 'hang' }
  /** The API server sends this line in the watch, in place of an event. */
  | { readonly does: 'say'; readonly line: string }
  /** Nothing more comes of it. */
  | { readonly does: 'nothing' };

export type ApiCall = 'look' | 'list' | 'watch' | 'event';

export interface Api {
  answer(arrived: Arrived): void;
  bookmark(): void;
  /** Ends every watch, in good order or not. */
  end(how: 'end' | 'destroy'): void;
  /** Whether every collection is watched from this port. */
  watchesAll(port: number): boolean;
}

export interface ApiWith {
  readonly cluster: Cluster;
  readonly after: (ms: number, task: () => void) => void;
  /** Called for each request, and before each line of a watch. */
  readonly on: (call: ApiCall, what: string, port: number) => ApiFault | undefined;
}

interface Stream {
  readonly port: number;
  readonly watched: Watched;
  readonly response: ServerResponse;
  /** All up to this version was reported. */
  at: number;
  isSilent: boolean;
}

/** A page has no more than this many objects, whatever is asked for. */
const pageSize = 2;
const latencyMs = 2;

export function createApi({ cluster, after, on }: ApiWith): Api {
  const streams = new Set<Stream>();
  const write = (stream: Stream, line: string, fault: ApiFault | undefined): void => {
    const { response } = stream;
    if (fault === undefined) response.write(line);
    else if (fault.does === 'say') response.write(fault.line);
    else if (fault.does === 'tear') response.write(line.slice(0, line.length / 2), () => response.destroy());
    else if (fault.does === 'hang') stream.isSilent = true;
    else response.destroy();
  };
  /** Until one of the lines fails. */
  const tell = (stream: Stream): void => {
    for (const entry of cluster.log(stream.watched)) {
      if (entry.version <= stream.at) continue;
      if (!streams.has(stream) || stream.isSilent) return;
      const { type, object, place, version } = entry;
      const fault = on('event', `${type} ${object.kind} ${place} ${version}`, stream.port);
      stream.at = version;
      write(stream, lineOf(type, object, stream.watched), fault);
      if (fault !== undefined) streams.delete(stream);
    }
  };
  const open = (stream: Stream): void => {
    stream.response.writeHead(200, { 'content-type': 'application/json' });
    stream.response.flushHeaders();
    streams.add(stream);
    stream.response.on('close', () => streams.delete(stream));
    after(latencyMs, () => tell(stream));
  };
  cluster.changed(() => {
    for (const stream of streams) after(latencyMs, () => tell(stream));
  });
  const answerWell = (arrived: Arrived, one: Watched, isWatch: boolean): void => {
    const { url, port, response } = arrived;
    const from = Number(url.searchParams.get('resourceVersion') ?? 0);
    const page = (url.searchParams.get('continue') ?? '').split('-')[0] ?? '';
    const isExpired = isWatch ? from < cluster.compacted() : page !== '' && Number(page) < cluster.compacted();
    if (isExpired) reply(response, statusOf(410));
    else if (isWatch) open({ port, watched: one, response, at: from, isSilent: false });
    else reply(response, pageOf(cluster, one, url.searchParams));
  };
  return {
    answer: (arrived) => {
      const { url, port, response } = arrived;
      const one = watched.find(({ path, selector }) => path === url.pathname && selector === selectorOf(url));
      if (one === undefined) throw new Error(`nobody watches ${url.href}`);
      const isWatch = url.searchParams.get('watch') === 'true';
      const call = isWatch ? 'watch' : url.searchParams.get('limit') === '1' ? 'look' : 'list';
      after(latencyMs, () => {
        const fault = on(
          call,
          `${one.kind} ${url.searchParams.get(isWatch ? 'resourceVersion' : 'continue') ?? ''}`,
          port,
        );
        if (fault === undefined) answerWell(arrived, one, isWatch);
        else spoil(response, fault);
      });
    },
    bookmark: () => {
      for (const stream of streams) {
        const { response, watched: one, port } = stream;
        if (stream.isSilent || stream.at > cluster.version()) continue;
        tell(stream);
        if (!streams.has(stream)) continue;
        const object = {
          apiVersion: 'v1',
          kind: one.kind,
          metadata: { name: '', resourceVersion: String(cluster.version()) },
        };
        const fault = on('event', `BOOKMARK ${one.kind} ${cluster.version()}`, port);
        write(stream, lineOf('BOOKMARK', object, one), fault);
        if (fault !== undefined) streams.delete(stream);
        else if (response.destroyed) streams.delete(stream);
      }
    },
    end: (how) => {
      for (const { response } of streams) response[how]();
      streams.clear();
    },
    watchesAll: (port) => {
      const names = [...streams].filter((stream) => stream.port === port).map((stream) => nameOf(stream.watched));
      return names.length === watched.length;
    },
  };
}

function selectorOf(url: URL): string {
  return url.searchParams.get('labelSelector') ?? '';
}

function lineOf(type: Entry['type'] | 'BOOKMARK', object: KubeObject, one: Watched): string {
  return `${JSON.stringify({ type, object: one.metadataOnly ? metadataOf(object) : object })}\n`;
}

function metadataOf({ metadata }: KubeObject): KubeObject {
  return { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata };
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Every page is of the version that the first one had. */
function pageOf(cluster: Cluster, one: Watched, query: URLSearchParams): Answer {
  const token = query.get('continue') ?? '';
  const [of = cluster.version(), skip = 0] = token === '' ? [] : token.split('-').map(Number);
  const there = [...present(cluster.log(one).filter(({ version }) => version <= of)).values()];
  const most = Math.min(pageSize, Number(query.get('limit')));
  const items = there.slice(skip, skip + most).map(({ object }) => (one.metadataOnly ? metadataOf(object) : object));
  const more = skip + most < there.length ? { continue: `${of}-${skip + most}` } : {};
  const kind = one.metadataOnly ? 'PartialObjectMetadataList' : `${one.kind}List`;
  return { status: 200, body: { kind, metadata: { resourceVersion: String(of), ...more }, items } };
}

function statusOf(status: number): Answer {
  const reason = status === 410 ? 'Expired' : 'Unknown';
  return {
    status,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason, code: status, message: 'as planned' },
  };
}

function spoil(response: ServerResponse, fault: ApiFault): void {
  if (fault.does === 'answer') reply(response, { ...statusOf(fault.status), headers: fault.headers ?? {} });
  else if (fault.does === 'reset') response.destroy();
  else if (fault.does === 'tear') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"kind":', () => response.destroy());
  }
}

function reply(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}
