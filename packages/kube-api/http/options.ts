import type { User } from '../identity/user.ts';
import { administrator } from '../identity/user.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject, objectAt } from '../json.ts';
import { mediaType, notRegistered, parseObject, protobuf } from './body.ts';
import type { Cause } from './problem.ts';
import { badRequest, invalid } from './problem.ts';
import { decodeProtobuf } from './protobuf/decode.ts';
import type { ApiRequest } from './request.ts';

export interface WriteOptions {
  readonly dryRun: boolean;
  /** The owner of the written fields. */
  readonly manager: string;
  readonly validation: 'Ignore' | 'Warn' | 'Strict';
  readonly force: boolean;
  readonly user: User;
}

type Verb = 'Create' | 'Update' | 'Patch';

/** The options in the query of a write; throws 422 for wrong ones. */
export function writeOptions(verb: Verb, { query, headers, user }: ApiRequest, isApply = false): WriteOptions {
  const dryRun = query.getAll('dryRun');
  const manager = query.get('fieldManager') ?? '';
  const validation = query.get('fieldValidation') ?? '';
  const causes = [...ofForce(verb, query, isApply), ...ofDryRun(dryRun), ...ofManager(manager, isApply)];
  if (!['', 'Ignore', 'Strict', 'Warn'].includes(validation)) {
    causes.push(unsupported('fieldValidation', JSON.stringify(validation), '"", "Ignore", "Strict", "Warn"'));
  }
  if (causes.length > 0) throw invalid(optionsKind(verb), '', causes);
  return {
    dryRun: dryRun.length > 0,
    manager: manager === '' ? agent(headers['user-agent']) : manager,
    validation: validation === 'Ignore' || validation === 'Strict' ? validation : 'Warn',
    force: query.get('force') === 'true' || query.get('force') === '1',
    user: user ?? administrator,
  };
}

function optionsKind(verb: string) {
  return { group: 'meta.k8s.io', kind: `${verb}Options`, plural: `${verb.toLowerCase()}options` };
}

function ofForce(verb: Verb, query: URLSearchParams, isApply: boolean): Cause[] {
  if (verb !== 'Patch' || isApply || !query.has('force')) return [];
  const message = 'Forbidden: may not be specified for non-apply patch';
  return [{ reason: 'FieldValueForbidden', message, field: 'force' }];
}

function ofDryRun(values: readonly Json[]): Cause[] {
  if (values.every((value) => value === 'All')) return [];
  return [unsupported('dryRun', `[${values.map((value) => JSON.stringify(value)).join(',')}]`, '"All"')];
}

function ofManager(manager: string, isApply: boolean): Cause[] {
  const field = 'fieldManager';
  if (manager === '') {
    const message = 'Required value: is required for apply patch';
    return isApply ? [{ reason: 'FieldValueRequired', message, field }] : [];
  }
  if (manager.length > 128)
    return [{ reason: 'FieldValueTooLong', message: 'Too long: may not be more than 128 bytes', field }];
  const position = [...manager].findIndex((character) => /\p{C}/u.test(character));
  if (position < 0) return [];
  const code = [...manager][position]?.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  const said = `invalid character U+${code} (at position ${position})`;
  return [{ reason: 'FieldValueInvalid', message: `Invalid value: ${goQuoted(manager)}: ${said}`, field }];
}

function goQuoted(text: string): string {
  return JSON.stringify(text).replaceAll('\\u0007', '\\a').replaceAll('\\u000b', '\\v');
}

function unsupported(field: string, value: string, supported: string): Cause {
  return {
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${value}: supported values: ${supported}`,
    field,
  };
}

/** Without a name of its own, a client is named by the beginning of its User-Agent. */
function agent(userAgent = 'unknown'): string {
  return (userAgent.split('/')[0] ?? '').slice(0, 128);
}

export interface DeleteWish {
  readonly dryRun: boolean;
  readonly policy: 'Background' | 'Foreground' | 'Orphan' | undefined;
  readonly uid: string | undefined;
  readonly resourceVersion: string | undefined;
  /** Seconds. */
  readonly grace: number | undefined;
  readonly user: User;
}

/** DeleteOptions in the body, or else in the query; throws 400 and 422 for wrong ones. */
export function deleteWish(request: ApiRequest): DeleteWish {
  const { query, user = administrator } = request;
  const body = deleteBody(request);
  const isInBody = Object.keys(body).length > 0;
  const policy = text(isInBody ? body['propagationPolicy'] : query.get('propagationPolicy'));
  const orphan = isInBody ? body['orphanDependents'] : parsed(query.get('orphanDependents'));
  insistOnGrace(query.get('gracePeriodSeconds') ?? '0');
  const grace = isInBody ? body['gracePeriodSeconds'] : parsed(query.get('gracePeriodSeconds'));
  const dryRun = isInBody && isArray(body['dryRun']) ? body['dryRun'] : query.getAll('dryRun');
  const causes = [...ofPolicy(policy, orphan), ...ofDryRun(dryRun)];
  if (causes.length > 0) throw invalid(optionsKind('Delete'), '', causes);
  const conditions = isObject(body['preconditions']) ? objectAt(body, 'preconditions') : {};
  return {
    dryRun: dryRun.length > 0,
    policy: policyOf(policy, orphan),
    uid: text(conditions['uid']),
    resourceVersion: text(conditions['resourceVersion']),
    grace: typeof grace === 'number' ? Math.max(grace, grace < 0 ? 1 : 0) : undefined,
    user,
  };
}

function deleteBody({ body: text, headers }: ApiRequest): JsonObject {
  if (text.trim() === '') return {};
  try {
    const body = parseOptions(text, mediaType(headers));
    const { kind = 'DeleteOptions', apiVersion = 'v1', gracePeriodSeconds = 0 } = body;
    if (kind !== 'DeleteOptions') throw badRequest(notRegistered(String(kind), String(apiVersion)));
    if (typeof gracePeriodSeconds === 'number' || gracePeriodSeconds === null) return body;
    const field = 'Go struct field DeleteOptions.gracePeriodSeconds of type int64';
    throw badRequest(`json: cannot unmarshal ${typeof gracePeriodSeconds} into ${field}`);
  } catch (thrown) {
    throw thrown instanceof SyntaxError ? badRequest(thrown.message) : thrown;
  }
}

/** Typed clients of Go send protobuf, and what it says of itself in JSON too. */
function parseOptions(text: string, type: string): JsonObject {
  return type === protobuf ? decodeProtobuf(text) : parseObject(text, type.includes('yaml'));
}

function insistOnGrace(text: string): void {
  if (/^[-+]?\d+$/.test(text)) return;
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`);
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function parsed(value: string | null): Json {
  return value === null || !/^(-?\d+|true|false)$/.test(value) ? null : (JSON.parse(value) as Json);
}

function ofPolicy(policy: string | undefined, orphan: Json | undefined): Cause[] {
  const field = 'propagationPolicy';
  if (policy !== undefined && typeof orphan === 'boolean') {
    const why = 'orphanDependents and deletionPropagation cannot be both set';
    return [{ reason: 'FieldValueInvalid', message: `Invalid value: ${JSON.stringify(policy)}: ${why}`, field }];
  }
  if (policy === undefined || policyOf(policy, undefined) !== undefined) return [];
  return [unsupported(field, JSON.stringify(policy), '"Foreground", "Background", "Orphan", "nil"')];
}

function policyOf(policy: string | undefined, orphan: Json | undefined): DeleteWish['policy'] {
  if (policy === 'Background' || policy === 'Foreground' || policy === 'Orphan') return policy;
  if (typeof orphan !== 'boolean') return undefined;
  return orphan ? 'Orphan' : 'Background';
}
