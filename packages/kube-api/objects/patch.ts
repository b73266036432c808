import { parse as parseYaml } from 'yaml';
import { apply } from '../apply/apply.ts';
import { mediaType, ofKind, parseJson } from '../http/body.ts';
import type { WriteOptions } from '../http/options.ts';
import { writeOptions } from '../http/options.ts';
import { ApiProblem, badRequest, invalid, notFound } from '../http/problem.ts';
import type { ApiRequest, ServerContext } from '../http/request.ts';
import type { Target } from '../http/route.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { jsonPatch } from '../patch/json.ts';
import { mergePatch } from '../patch/merge.ts';
import { printed } from '../patch/printed.ts';
import { strategicPatch } from '../patch/strategic.ts';
import { decode } from './conform.ts';
import type { Written } from './write.ts';
import { create, find, update } from './write.ts';

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

const types: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

export interface Patched extends Written {
  readonly warnings: readonly string[];
}

/** PATCH of an object or of its status, in all four ways. */
export function patch(world: ServerContext, target: Target, request: ApiRequest): Patched {
  const type = patchType(request, target.kind.custom);
  const options = writeOptions('Patch', request, type === 'apply');
  const before = find(world, target);
  if (type === 'apply') return applyPatch(world, target, { body: request.body, before, options });
  if (before === undefined) throw notFound(target.kind, target.name);
  const patched = changed(target, before, { type, body: request.body });
  const { object, warnings } = decodePatched(world, target, { patched, options, type, body: request.body });
  return withWarnings(update(world, target, { before, given: object, write: options }), warnings);
}

/** Throws 415; custom resources have no strategic merge patch. */
export function patchType({ headers }: ApiRequest, isCustom: boolean): PatchType {
  const media = mediaType(headers);
  const type = Object.hasOwn(types, media) ? types[media] : undefined;
  if (type === undefined) {
    throw new ApiProblem(415, 'UnsupportedMediaType', { message: '415: Unsupported Media Type', details: {} });
  }
  if (type !== 'strategic' || !isCustom) return type;
  const accepted = 'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml';
  throw new ApiProblem(415, 'UnsupportedMediaType', {
    message: `the body of the request was in an unknown format - accepted media types include: ${accepted}`,
  });
}

interface Change {
  readonly type: PatchType;
  readonly body: string;
}

/** An object after a patch other than apply. */
export function changed({ kind }: Target, before: JsonObject, { type, body }: Change): JsonObject {
  const change = parseBody(body, type);
  switch (type) {
    case 'json':
      return jsonPatch(before, change);
    case 'strategic':
      return strategicPatch(kind.schema, before, change);
    default:
      return mergePatch(before, change);
  }
}

function parseBody(body: string, type: PatchType): Json {
  try {
    return parseJson(body, type === 'strategic' ? '' : 'error decoding patch: ');
  } catch (thrown) {
    throw thrown instanceof SyntaxError ? badRequest(thrown.message) : thrown;
  }
}

interface ToDecode extends Change {
  readonly patched: JsonObject;
  readonly options: WriteOptions;
}

function decodePatched(world: ServerContext, { kind }: Target, { patched, options, type, body }: ToDecode) {
  try {
    return decode(kind, ofKind(kind, patched, world.kinds), options.validation);
  } catch (thrown) {
    if (!(thrown instanceof ApiProblem) || thrown.code !== 400) throw thrown;
    const why = thrown.message.replace(/^.* in version ".*" cannot be handled as an? \w+: /, '');
    if (type === 'strategic') throw badPatch(printed(parseBody(body, type)), convertError(why));
    throw badPatch(goText(patched), why);
  }
}

/** 422 for a patch whose result is not an object of its kind. */
export function badPatch(value: string, why: string): ApiProblem {
  const message = `Invalid value: ${JSON.stringify(value)}: ${why}`;
  return invalid({ group: '', kind: '', plural: '' }, '', [{ reason: 'FieldValueInvalid', message, field: 'patch' }]);
}

/** The server converts a strategic patch without parsing it, and words the same fault otherwise. */
function convertError(why: string): string {
  const [, from = '', to = ''] = /cannot unmarshal (\w+) into Go .* of type (\S+)$/.exec(why) ?? [];
  if (from === '') return why;
  if (to.startsWith('[]')) return `cannot restore slice from ${from}`;
  return `cannot convert ${from === 'number' ? 'int64' : from} to ${to}`;
}

/** The keys in the order in which Go writes them: sorted where a patch changed them, metadata as its struct has them. */
export function goText(patched: JsonObject): string {
  const { metadata } = patched;
  const fields = metadataOrder.filter((key) => isObject(metadata) && Object.hasOwn(metadata, key));
  const ordered = isObject(metadata) ? Object.fromEntries(fields.map((key) => [key, metadata[key] ?? null])) : {};
  const entries = Object.entries({ ...patched, metadata: ordered }).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify(Object.fromEntries(entries));
}

const metadataOrder =
  'name generateName namespace uid resourceVersion generation creationTimestamp deletionTimestamp deletionGracePeriodSeconds labels annotations ownerReferences finalizers managedFields'.split(
    ' ',
  );

interface Application {
  readonly body: string;
  readonly before: JsonObject | undefined;
  readonly options: WriteOptions;
}

function applyPatch(world: ServerContext, target: Target, { body, before, options }: Application): Patched {
  const { kind, name, subresource } = target;
  // The server looks for the object before it reads what is applied.
  if (before === undefined && subresource !== '') throw notFound(kind, name);
  const applied = parseApplied(body);
  const { manager, force } = options;
  const merged = apply({ kind, live: before, applied, manager, force, subresource, now: world.now() });
  const { object, warnings } = decode(kind, merged, options.validation);
  const write = { ...options, isTracked: true };
  if (before !== undefined) return withWarnings(update(world, target, { before, given: object, write }), warnings);
  insistOnName(object, name);
  return withWarnings(create(world, target, { given: object, write }), warnings);
}

function withWarnings(written: Written, warnings: readonly string[]): Patched {
  return { ...written, warnings: [...warnings, ...(written.warned ?? [])] };
}

/** In YAML an escape stands for one character, so half of a surrogate pair is not one (go-yaml `scannerc.go`). */
const halfPair = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/;

export function parseApplied(body: string): JsonObject {
  let value: unknown;
  if (body.startsWith('{') && halfPair.test(body)) {
    const why = 'error converting YAML to JSON: yaml: found invalid Unicode character escape code';
    throw badRequest(`error decoding YAML: ${why}`);
  }
  try {
    // JSON is YAML, and parses much faster.
    value = body.startsWith('{') ? JSON.parse(body) : parseYaml(body, { version: '1.1', schema: 'core' });
  } catch (thrown) {
    throw badRequest(`error decoding YAML: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
  const json = value as Json;
  if (!isObject(json)) throw badRequest('error decoding YAML: json: cannot unmarshal array into Go value');
  return json;
}

function insistOnName(object: JsonObject, name: string): void {
  const { metadata } = object;
  const { name: given = '' } = isObject(metadata) ? metadata : {};
  if (given === name) return;
  throw badRequest(
    given === ''
      ? `the name of the object (${name} based on URL) was undeterminable: name must be provided`
      : `the name of the object (${String(given)}) does not match the name on the URL (${name})`,
  );
}
