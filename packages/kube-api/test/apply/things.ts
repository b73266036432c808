import { apply } from '../../apply/apply.ts';
import { trackUpdate } from '../../apply/track.ts';
import { type Json, type JsonObject, objectAt } from '../../json.ts';
import type { Kind } from '../../schema/kind.ts';
import { createKinds } from '../../schema/kinds.ts';

const text = { type: 'string' };
const named = { type: 'object', properties: { name: text, port: { type: 'integer', default: 80 }, v: text } };
const spec = {
  type: 'object',
  properties: {
    a: text,
    n: { type: 'integer' },
    on: { type: 'boolean' },
    when: { ...text, format: 'date-time' },
    map: { type: 'object', additionalProperties: text },
    whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', additionalProperties: text },
    items: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'port'],
      items: named,
    },
    keyed: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: named },
    tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    list: { type: 'array', items: { type: 'object', properties: { q: text } } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    embedded: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
  },
};

const kinds = createKinds();
kinds.define({
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', singular: 'thing', kind: 'Thing' },
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: { spec, status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      },
    })),
  },
});

export const thing = kindOf('example.com/v1', 'Thing');
export const thingV2 = kindOf('example.com/v2', 'Thing');
export const configMap = kindOf('v1', 'ConfigMap');
export const deployment = kindOf('apps/v1', 'Deployment');

export type Live = JsonObject | undefined;

interface By {
  readonly manager: string;
  readonly kind?: Kind;
  readonly force?: boolean;
  readonly subresource?: string;
  readonly second?: number;
}

/** Applies a body; a write is a minute after 2026 began, plus this many seconds. */
export function applyBy(live: Live, applied: JsonObject, by: By): JsonObject {
  const { kind = thing, manager, force = false, subresource = '', second = 0 } = by;
  return apply({ kind, live, applied, manager, force, subresource, now: timeAt(second) });
}

export function updateBy(before: Live, after: JsonObject, by: By): JsonObject {
  const { kind = thing, manager, subresource = '', second = 0 } = by;
  return trackUpdate({ kind, before, after, manager, subresource, now: timeAt(second) });
}

/** A Thing with this spec, as a client sends it. */
export function body(fields: JsonObject | undefined, more: JsonObject = {}): JsonObject {
  const base = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'web' } };
  return { ...base, ...(fields !== undefined && { spec: fields }), ...more };
}

export function mapOf(data: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'web', ...metadata }, data };
}

/** What the server adds to a new object. */
export function stored(object: JsonObject): JsonObject {
  return { ...object, metadata: { ...objectAt(object, 'metadata'), uid: 'u1', resourceVersion: '1' } };
}

/** `m1 Apply` → its fields; with the subresource as third word. */
export function ownersOf(object: JsonObject): Readonly<Record<string, Json>> {
  const entries = objectAt(object, 'metadata')['managedFields'] as readonly JsonObject[] | undefined;
  return Object.fromEntries(
    (entries ?? []).map(({ manager, operation, subresource, fieldsV1 }) => [
      [manager, operation, subresource].filter((word) => word !== undefined).join(' '),
      fieldsV1 ?? null,
    ]),
  );
}

export function timesOf(object: JsonObject): Readonly<Record<string, Json>> {
  const entries = objectAt(object, 'metadata')['managedFields'] as readonly JsonObject[] | undefined;
  return Object.fromEntries((entries ?? []).map(({ manager, time }) => [String(manager), time ?? null]));
}

function timeAt(second: number): number {
  return Date.UTC(2026, 0, 1, 0, 1, second);
}

function kindOf(apiVersion: string, name: string): Kind {
  const kind = kinds.ofKind(apiVersion, name);
  if (kind === undefined) throw new Error(`no ${apiVersion} ${name}`);
  return kind;
}
