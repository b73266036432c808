import type { Json, JsonObject } from '../json.ts';
import { isArray, objectAt } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import type { Kinds } from '../schema/kinds.ts';

/**
 * A CustomResourceDefinition with the status that the server's controllers give it: if no other kind of the group has its names
 * they are accepted, and then it is established. `time` is the time of a condition that changed, as a text.
 */
export function established(
  crd: JsonObject,
  kinds: Kinds,
  time = new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
): JsonObject {
  const names = objectAt(crd, 'spec', 'names');
  const before = objectAt(crd, 'status');
  const taken = firstTaken(crd, kinds);
  const accepted = taken === undefined;
  const conditions = [
    accepted
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { type: 'NamesAccepted', status: 'False', ...taken },
    accepted
      ? {
          type: 'Established',
          status: 'True',
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        }
      : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
  ].map((condition) => ({ ...withTime(condition, before, time) }));
  const acceptedNames = accepted ? names : { plural: names['plural'] ?? '', kind: '' };
  return { ...crd, status: { ...before, conditions, acceptedNames, storedVersions: storedVersions(crd) } };
}

/** The versions in which objects may be stored: the earlier ones and the current one. */
export function storedVersions(crd: JsonObject): readonly Json[] {
  const before = objectAt(crd, 'status')['storedVersions'];
  const { versions } = objectAt(crd, 'spec');
  const now = (isArray(versions) ? versions : [])
    .filter((version) => objectAt(version)['storage'] === true)
    .slice(0, 1);
  return [...new Set([...(isArray(before) ? before : []), ...now.map((version) => objectAt(version)['name'] ?? '')])];
}

function withTime(condition: JsonObject, { conditions }: JsonObject, time: string): JsonObject {
  const old = (isArray(conditions) ? conditions : []).find((item) => objectAt(item)['type'] === condition['type']);
  const same = objectAt(old)['status'] === condition['status'];
  return { ...condition, lastTransitionTime: (same ? objectAt(old)['lastTransitionTime'] : undefined) ?? time };
}

/** The first name that another kind of the group has, as reason and message of a condition. */
function firstTaken(crd: JsonObject, kinds: Kinds): JsonObject | undefined {
  const { group, names } = objectAt(crd, 'spec');
  const { plural, singular, kind, listKind, shortNames } = objectAt(names);
  const others = kinds.all().filter((other) => other.group === group && other.plural !== plural);
  const words = new Set(others.flatMap((other) => [other.plural, other.singular, ...other.shortNames]));
  const kindNames = new Set(others.flatMap((other: Kind) => [other.kind, `${other.kind}List`]));
  const shorts = isArray(shortNames) ? shortNames : [];
  const clashes: readonly (readonly [reason: string, name: Json | undefined, used: ReadonlySet<string>])[] = [
    ['ListKindConflict', listKind, kindNames],
    ['KindConflict', kind, kindNames],
    ...shorts.map((name) => ['ShortNamesConflict', name, words] as const),
    ['SingularConflict', singular, words],
    ['PluralConflict', plural, words],
  ];
  const found = clashes.find(([, name, used]) => used.has(String(name)));
  return found && { reason: found[0], message: `${JSON.stringify(found[1])} is already in use` };
}
