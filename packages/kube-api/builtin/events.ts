import type { JsonObject } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import { apiVersionOf } from '../schema/kind.ts';

/** Fields of core/v1 → the same in events.k8s.io/v1; the other fields have the same name in both. */
const renamed: Readonly<Record<string, string>> = {
  involvedObject: 'regarding',
  message: 'note',
  source: 'deprecatedSource',
  firstTimestamp: 'deprecatedFirstTimestamp',
  lastTimestamp: 'deprecatedLastTimestamp',
  count: 'deprecatedCount',
  reportingComponent: 'reportingController',
};
const back = Object.fromEntries(Object.entries(renamed).map(([core, event]) => [event, core]));

/** An object of a kind in the version of the request. Only Events differ between their versions in more than a name. */
export function convert(object: JsonObject, kind: Kind): JsonObject {
  const apiVersion = apiVersionOf(kind);
  if (object['apiVersion'] === apiVersion) return object;
  const { apiVersion: _, kind: __, ...fields } = object;
  const isEvent = kind.kind === 'Event' && !kind.custom;
  return {
    apiVersion,
    kind: kind.kind,
    ...(isEvent ? renamedFields(fields, kind.group === '' ? back : renamed) : fields),
  };
}

function renamedFields(fields: JsonObject, names: Readonly<Record<string, string>>): JsonObject {
  const entries = Object.entries(fields).flatMap(([key, value]) =>
    value === '' && names !== back ? [] : [[named(names, key), value] as const],
  );
  return Object.fromEntries(entries);
}

function named(names: Readonly<Record<string, string>>, key: string): string {
  return (Object.hasOwn(names, key) ? names[key] : undefined) ?? key;
}
