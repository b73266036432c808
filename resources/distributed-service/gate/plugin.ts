import { KnudgeError } from '../../../packages/controller/domain/errors.ts';
import type { Claim, GateQuestion, GateVerdict } from './types.ts';

type Fields = ReadonlyMap<string, unknown>;

/** A question, and the content of the request, which goes back to the server. */
export interface PluginRequest {
  readonly question: GateQuestion;
  readonly content: Fields;
}

/**
 * Reads a request of frps's HTTP plugin, `{version, op, content}` (frp: doc/server_plugin.md). The path names the server's
 * profile. A client may have put any text into it, which is no error: only what frps itself never sends is an `invalid-request`.
 */
export function parsePluginRequest(path: string, body: unknown): PluginRequest {
  const server = /^\/([a-z0-9][a-z0-9-]{0,62})\/([a-z0-9][a-z0-9.-]{0,252})$/.exec(path);
  if (server === null) {
    throw new KnudgeError(
      'invalid-request',
      'the path must name the profile of the server: set the path of the httpPlugin to /<namespace>/<ConfigMap>',
    );
  }
  const request = fieldsOf(body, 'the body');
  const content = fieldsOf(request.get('content'), 'content');
  const who = request.get('op') === 'Login' ? content : fieldsOf(content.get('user'), 'content.user');
  const of = { server: `${server[1] ?? ''}/${server[2] ?? ''}`, claim: claimIn(who.get('metas')) };
  return { question: { ...of, ...askedIn(request.get('op'), content) }, content };
}

/** The fields of a question that only one operation has. */
type Particular =
  | Pick<Extract<GateQuestion, { op: 'login' }>, 'op' | 'token' | 'user' | 'clientId'>
  | Pick<Extract<GateQuestion, { op: 'new-proxy' }>, 'op' | 'proxy'>
  | Pick<Extract<GateQuestion, { op: 'ping' }>, 'op'>;

function askedIn(op: unknown, content: Fields): Particular {
  const text = (field: string): string => textOf(content.get(field));
  switch (op) {
    case 'Login':
      return { op: 'login', token: text('privilege_key'), user: text('user'), clientId: text('client_id') };
    case 'NewProxy':
      return { op: 'new-proxy', proxy: new Map([...content].filter(([field]) => field !== 'user')) };
    case 'Ping':
      return { op: 'ping' };
    default:
      throw new KnudgeError('invalid-request', 'the gate answers Login, NewProxy and Ping: ask for no other operation');
  }
}

/** The service that the client names in the metadatas of frpc: `namespace/name` and uid; undefined if they are anything else. */
function claimIn(metas: unknown): Claim | undefined {
  if (!isRecord(metas)) return undefined;
  const of = (name: string): string => (Object.hasOwn(metas, name) ? textOf(metas[name]) : '');
  const service = /^([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)\/([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)$/.exec(
    of('service'),
  );
  const uid = of('uid');
  if (service === null || uid === '') return undefined;
  const identity = of(identityMeta);
  return { namespace: service[1] ?? '', name: service[2] ?? '', uid, ...(identity !== '' && { identity }) };
}

/** The metadata in which frps keeps the digest of the client's token from the login, for later questions. */
const identityMeta = 'identity';

/**
 * The answer for frps. At a login it replaces the client's key by the one that frps itself expects for its own token, which is empty:
 * md5(token + timestamp) in hexadecimal digits (frp 0.71, pkg/util/util.GetAuthKey).
 */
export function pluginAnswer(
  { question, content }: PluginRequest,
  verdict: GateVerdict,
  md5: (text: string) => string,
): object {
  if (verdict.is === 'out') return refusal(verdict.reason);
  if (question.op !== 'login') return { reject: false, unchange: true };
  const timestamp = content.get('timestamp') ?? 0;
  if (!Number.isSafeInteger(timestamp))
    throw new KnudgeError('invalid-request', 'content.timestamp must be a whole number');
  const metas = { ...fieldsObject(content.get('metas')), [identityMeta]: verdict.identity };
  const admitted = { ...Object.fromEntries(content), metas, privilege_key: md5(String(timestamp)) };
  return { reject: false, unchange: false, content: admitted };
}

export function refusal(reason: string): object {
  return { reject: true, reject_reason: reason };
}

function fieldsOf(value: unknown, what: string): Fields {
  if (isRecord(value)) return new Map(Object.entries(value));
  throw new KnudgeError('invalid-request', `${what} must be a JSON object, as frps sends it`);
}

function fieldsObject(value: unknown): object {
  return isRecord(value) ? value : {};
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
