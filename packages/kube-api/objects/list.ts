import type { Cause } from '../http/problem.ts';
import { ApiProblem, badRequest, invalid } from '../http/problem.ts';
import type { JsonObject } from '../json.ts';
import { isObject, objectAt } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import type { Store } from '../store/store.ts';
import { keyOf } from '../store/store.ts';
import { parseLabelSelector } from './select.ts';
import { parseFieldSelector } from './select-fields.ts';

export interface Page {
  readonly items: readonly JsonObject[];
  readonly metadata: JsonObject;
}

/** The test of served objects that labelSelector and fieldSelector describe. */
export function selectorOf(query: URLSearchParams, kind: Kind): ((object: JsonObject) => boolean) | undefined {
  const [labels, fields] = [query.get('labelSelector') ?? '', query.get('fieldSelector') ?? ''];
  const byLabel = labels === '' ? undefined : parseLabelSelector(labels);
  const byField = fields === '' ? undefined : parseFieldSelector(fields, kind);
  if (byLabel === undefined && byField === undefined) return undefined;
  return (object) =>
    (byLabel === undefined || byLabel(objectAt(object, 'metadata', 'labels'))) &&
    (byField === undefined || byField(object));
}

interface Where {
  readonly resource: string;
  readonly namespace: string;
  /** Converts a stored object into the version of the request. */
  readonly serve: (object: JsonObject) => JsonObject;
  readonly isSelected: ((object: JsonObject) => boolean) | undefined;
}

/** One page of objects at one revision. Throws 410 if that is forgotten, 400 and 422 for a wrong query. */
export function listPage(store: Store, query: URLSearchParams, where: Where): Page {
  const { limit, revision, start } = parseQuery(query);
  if (revision > store.revision()) throw tooLarge(revision, store.revision());
  const at = revision === 0 ? store.revision() : revision;
  const stored = store.list(where.resource, where.namespace, at);
  if (stored === undefined) throw start === '' ? expired(at, store.revision()) : expiredPage();
  const rest = start === '' ? stored : stored.filter((object) => keyOf(object) > start);
  const { items, seen } = pick(rest, limit, where);
  const [resourceVersion, left] = [String(at), rest.length - seen];
  if (left === 0) return { items, metadata: { resourceVersion } };
  const token = JSON.stringify({ v: tokenVersion, rv: at, start: keyOf(rest[seen - 1] ?? {}) });
  const next = Buffer.from(token).toString('base64url');
  // With a selector the server does not count the remaining objects.
  const remaining = where.isSelected === undefined ? { remainingItemCount: left } : {};
  return { items, metadata: { resourceVersion, continue: next, ...remaining } };
}

const tokenVersion = 'meta.k8s.io/v1';

/** The first selected objects, and how many had to be read for them. */
function pick(stored: readonly JsonObject[], limit: number, { serve, isSelected }: Where) {
  const items: JsonObject[] = [];
  for (const [seen, object] of stored.entries()) {
    if (limit > 0 && items.length === limit) return { items, seen };
    const served = serve(object);
    if (isSelected?.(served) !== false) items.push(served);
  }
  return { items, seen: stored.length };
}

/** revision 0 means the newest. */
function parseQuery(query: URLSearchParams): { limit: number; revision: number; start: string } {
  insistOnOptions(query, false);
  const limitText = query.get('limit') ?? '0';
  if (!/^[-+]?\d+$/.test(limitText)) {
    throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(limitText)}: invalid syntax`);
  }
  const limit = Number(limitText);
  const token = query.get('continue') ?? '';
  if (token !== '') {
    if (query.has('resourceVersion') && query.get('resourceVersion') !== '0') throw badRequest(noRevision);
    const { rv, start } = parseToken(token);
    return { limit, revision: rv, start };
  }
  const wanted = parseRevision(query.get('resourceVersion') ?? '');
  // Unless the query asks for an exact version the answer may be newer.
  const isExact = query.get('resourceVersionMatch') === 'Exact' || (limit > 0 && !query.has('resourceVersionMatch'));
  return { limit, revision: isExact ? wanted : 0, start: '' };
}

const noRevision = 'specifying resource version is not allowed when using continue';

/** The number of a resourceVersion, 0 for none; throws 400. */
function parseRevision(text: string): number {
  if (text === '') return 0;
  if (/^\d+$/.test(text)) return Number(text);
  const why = `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax`;
  throw badRequest(`invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(text)}: ${why}`);
}

function parseToken(token: string): { rv: number; start: string } {
  const text = Buffer.from(token, 'base64url').toString('latin1');
  try {
    const parsed: unknown = JSON.parse(text);
    const { v, rv, start } = isObject(parsed as JsonObject) ? (parsed as JsonObject) : {};
    if (v !== tokenVersion)
      throw badRequest(`${wrongToken}: server does not recognize this encoded version ${String(v)}`);
    if (typeof start === 'string' && start.includes('..')) throw badRequest(`${wrongToken}: ${start}`);
    if (typeof rv === 'number' && typeof start === 'string') return { rv, start };
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
  }
  throw badRequest(`${wrongToken}: invalid character '${shown(text[0] ?? '')}' looking for beginning of value`);
}

const wrongToken = 'invalid continue token: continue key is not valid';

/** A byte as Go quotes it. */
function shown(character: string): string {
  const code = character.charCodeAt(0);
  return /\p{C}/u.test(character) ? `\\u${code.toString(16).padStart(4, '0')}` : character;
}

/** Throws 422 for options of list and watch that do not go together. */
export function insistOnOptions(query: URLSearchParams, isWatch: boolean): void {
  const match = query.get('resourceVersionMatch') ?? '';
  const revision = query.get('resourceVersion') ?? '';
  const initial = query.has('sendInitialEvents');
  const causes: Cause[] = [];
  const forbid = (field: string, why: string) => {
    causes.push({ reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field });
  };
  if (initial && !isWatch) forbid('sendInitialEvents', 'sendInitialEvents is forbidden for list');
  if (initial && isWatch && match !== 'NotOlderThan') {
    forbid('resourceVersionMatch', 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan');
  }
  if (match !== '' && isWatch && !initial)
    forbid('resourceVersionMatch', 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided');
  if (match !== '' && !isWatch) causes.push(...ofMatch(match, revision, query.has('continue')));
  if (causes.length === 0) return;
  throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions', plural: 'listoptions' }, '', causes);
}

function ofMatch(match: string, revision: string, isContinued: boolean): readonly Cause[] {
  const field = 'resourceVersionMatch';
  const forbidden = (why: string) => [{ reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field }];
  if (isContinued) return forbidden('resourceVersionMatch is forbidden when continue is provided');
  if (revision === '') return forbidden('resourceVersionMatch is forbidden unless resourceVersion is provided');
  if (match !== 'Exact' && match !== 'NotOlderThan') {
    const message = `Unsupported value: ${JSON.stringify(match)}: supported values: "Exact", "NotOlderThan", ""`;
    return [{ reason: 'FieldValueNotSupported', message, field }];
  }
  if (match === 'Exact' && revision === '0') {
    return forbidden('resourceVersionMatch "exact" is forbidden for resourceVersion "0"');
  }
  return [];
}

function tooLarge(asked: number, current: number): ApiProblem {
  return new ApiProblem(504, 'Timeout', {
    message: `Timeout: Too large resource version: ${asked}, current: ${current}`,
    details: {
      causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
      retryAfterSeconds: 1,
    },
  });
}

export function expired(asked: number, oldest: number): ApiProblem {
  return new ApiProblem(410, 'Expired', { message: `too old resource version: ${asked} (${oldest})` });
}

function expiredPage(): ApiProblem {
  return new ApiProblem(410, 'Expired', {
    message:
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter.',
  });
}
