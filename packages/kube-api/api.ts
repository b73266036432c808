import { randomUUID } from 'node:crypto';
import type { Client } from './client.ts';
import { negotiate } from './http/accept.ts';
import { answer, answerProblem } from './http/answer.ts';
import { discover } from './http/discovery.ts';
import { openApiDocument, openApiIndex } from './http/openapi.ts';
import { answerOpenApiV2 } from './http/openapi-v2.ts';
import type { ApiAnswer, ApiRequest, ServerContext } from './http/request.ts';
import { route } from './http/route.ts';
import { serve } from './http/serve.ts';
import { userOfToken } from './identity/accounts.ts';
import { createSigner } from './identity/tokens.ts';
import type { User } from './identity/user.ts';
import { actingUser, administrator } from './identity/user.ts';
import { answerWellKnown } from './identity/well-known.ts';
import { clientOf } from './inside.ts';
import { serveDefinitions } from './schema/definitions.ts';
import { createKinds } from './schema/kinds.ts';
import { collectGarbage } from './store/garbage.ts';
import type { Journal } from './store/journal.ts';
import { createStore } from './store/store.ts';

/** How an API differs from the usual one. In a test, a clock that stands still and tasks that wait make it the same each time. */
export interface ApiOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** A UUID for each object that is made. */
  readonly newUid?: () => string;
  /** As Math.random. */
  readonly random?: () => number;
  /** When the garbage collector and other controllers of the server run: soon, after what runs now. */
  readonly schedule?: ServerContext['schedule'];
  /** Runs something once after milliseconds; gives the way to take that back. */
  readonly after?: ServerContext['after'];
  /** The storage that outlives the process: the objects at the start, and a place for each change. */
  readonly journal?: Journal;
  /** The log of a container up to now, if its Pod runs as a process; if absent, no Pod has a log. */
  readonly logOf?: ServerContext['logOf'];
  /** How many changes a watch can start from in the past, at least; 10,000 if absent. */
  readonly historySize?: number;
}

/** An API server in this process. */
export interface Api {
  /** Answers one request as kube-apiserver does; never throws. */
  readonly handle: (request: ApiRequest) => ApiAnswer;
  /** The same objects without HTTP. */
  readonly client: Client;
  /** The ServiceAccount that a token of this API belongs to; undefined for another text, and if the account is gone. */
  readonly userOf: (token: string) => User | undefined;
  /** Stops the garbage collector and closes the journal. */
  readonly close: () => void;
}

/**
 * A Kubernetes API server without a network: kube-apiserver 1.35 as far as its kinds and the fidelity table go. It begins with the four
 * namespaces that every cluster has, or with what its journal holds; a CustomResourceDefinition that is created adds its kinds.
 */
export function createApi(options: ApiOptions = {}): Api {
  const { now = Date.now, newUid = randomUUID, random = Math.random, journal, historySize = 10_000 } = options;
  const { schedule = setImmediate, after = timer } = options;
  const store = createStore({ historySize, journal });
  const { logOf } = options;
  const given = { now, newUid, random, schedule, after, ...(logOf && { logOf }) };
  const world: ServerContext = { kinds: createKinds(), store, signer: createSigner(), ...given };
  const stops = [serveDefinitions(world), collectGarbage(world)];
  const client = clientOf(world);
  if (store.revision() === 0) furnish(client);
  return {
    handle: (request) => handle(world, request),
    client,
    userOf: (token) => userOfToken(world, token),
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

/** Makes what every cluster has from the beginning. */
function furnish(client: Client): void {
  for (const name of ['default', 'kube-node-lease', 'kube-public', 'kube-system']) {
    client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
}

function handle(world: ServerContext, request: ApiRequest): ApiAnswer {
  try {
    const user = actingUser(request.user ?? administrator, request.headers);
    return answerPath(world, { ...request, user });
  } catch (thrown) {
    return answerProblem(thrown);
  }
}

function answerPath(world: ServerContext, request: ApiRequest): ApiAnswer {
  const { path, method } = request;
  const [root, second] = path.split('/').filter((part) => part !== '');
  switch (root) {
    case 'api':
    case 'apis':
      return answerApi(world, request);
    case 'openapi':
      return answerOpenApi(world, request) ?? notThere();
    case 'openid':
    case '.well-known':
      return answerWellKnown(world, path) ?? notThere();
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

function answerApi({ kinds, ...rest }: ServerContext, request: ApiRequest): ApiAnswer {
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

function answerOpenApi({ kinds }: ServerContext, { path, headers: asked }: ApiRequest): ApiAnswer | undefined {
  if (path === '/openapi/v2') return answerOpenApiV2(asked['accept']);
  if (path === '/openapi/v3' || path === '/openapi/v3/') {
    // The real server sends this as text.
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
