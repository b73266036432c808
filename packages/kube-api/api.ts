import { randomUUID } from 'node:crypto';
import type { Client } from './client.ts';
import { negotiate } from './http/accept.ts';
import { answer, answerProblem } from './http/answer.ts';
import { discover } from './http/discovery.ts';
import { openApiDocument, openApiIndex } from './http/openapi.ts';
import type { ApiAnswer, ApiRequest, World } from './http/request.ts';
import { route } from './http/route.ts';
import { serve } from './http/serve.ts';
import { clientOf } from './inside.ts';
import { serveDefinitions } from './schema/definitions.ts';
import { createKinds } from './schema/kinds.ts';
import { collectGarbage } from './store/garbage.ts';
import type { Journal } from './store/journal.ts';
import { createStore } from './store/store.ts';

export interface ApiOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly newUid?: () => string;
  /** As Math.random. */
  readonly random?: () => number;
  /** When the garbage collector and other controllers of the server run. */
  readonly schedule?: World['schedule'];
  readonly after?: World['after'];
  /** What outlives the process: the objects that are there from the beginning, and a place for each change. */
  readonly journal?: Journal;
  /** How many changes a watch can start from in the past, at least. */
  readonly historySize?: number;
}

export interface Api {
  readonly handle: (request: ApiRequest) => ApiAnswer;
  readonly client: Client;
  readonly close: () => void;
}

/** A Kubernetes API server without a network: kube-apiserver 1.35 as far as its kinds and the fidelity table go. */
export function createApi(options: ApiOptions = {}): Api {
  const { now = Date.now, newUid = randomUUID, random = Math.random, journal, historySize = 10_000 } = options;
  const { schedule = setImmediate, after = timer } = options;
  const store = createStore({ historySize, journal });
  const world: World = { kinds: createKinds(), store, now, newUid, random, schedule, after };
  const stops = [serveDefinitions(world), collectGarbage(world)];
  const client = clientOf(world);
  if (store.revision() === 0) furnish(client);
  return {
    handle: (request) => handle(world, request),
    client,
    close: () => {
      for (const stop of stops) stop();
      store.close();
    },
  };
}

function timer(milliseconds: number, task: () => void): () => void {
  const running = setTimeout(task, milliseconds);
  running.unref();
  return () => clearTimeout(running);
}

/** What every cluster has from the beginning. */
function furnish(client: Client): void {
  for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
    client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
}

function handle(world: World, request: ApiRequest): ApiAnswer {
  try {
    return answerPath(world, request);
  } catch (thrown) {
    return answerProblem(thrown);
  }
}

function answerPath(world: World, request: ApiRequest): ApiAnswer {
  const { path, method } = request;
  const [root, second] = path.split('/').filter((part) => part !== '');
  switch (root) {
    case 'api':
    case 'apis':
      return answerApi(world, request);
    case 'openapi':
      return answerOpenApi(world, path) ?? notThere();
    case 'healthz':
    case 'livez':
    case 'readyz':
      return second === undefined ? text(200, 'ok') : notThere();
    case 'version':
      return method === 'GET' ? answer(200, version) : notThere();
    default:
      return notThere();
  }
}

function answerApi({ kinds, ...rest }: World, request: ApiRequest): ApiAnswer {
  if (request.path.split('/').filter((part) => part !== '').length <= 3 && request.method === 'GET') {
    const wanted = discoveryForm(request);
    const found = discover(request.path, { kinds, wanted });
    if (found !== undefined) return answer(200, found, { wanted });
  }
  const target = route(request.path, kinds);
  return target === undefined ? notThere() : serve({ kinds, ...rest }, target, request);
}

function discoveryForm({ headers }: ApiRequest) {
  const wanted = negotiate(headers['accept']);
  return wanted.as === '' || wanted.as === 'APIGroupDiscoveryList' ? wanted : { as: '' as const, yaml: false };
}

function answerOpenApi({ kinds }: World, path: string): ApiAnswer | undefined {
  if (path === '/openapi/v3' || path === '/openapi/v3/') {
    // The real server calls this text.
    const { headers } = text(200, '');
    return { status: 200, headers, body: openApiIndex(kinds) };
  }
  const document = path.startsWith('/openapi/v3/')
    ? openApiDocument(kinds, path.slice('/openapi/v3/'.length))
    : undefined;
  return document && answer(200, document);
}

function notThere(): ApiAnswer {
  return text(404, '404 page not found\n');
}

function text(status: number, body: string): ApiAnswer {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body,
  };
}

const version = {
  major: '1',
  minor: '35',
  emulationMajor: '1',
  emulationMinor: '35',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '34',
  gitVersion: 'v1.35.4',
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: '',
  compiler: '',
  platform: '',
};
