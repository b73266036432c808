import { canonical } from './canonical.ts';
import { isFields } from './fields-of.ts';

/** The JSON merge patch (RFC 7386) that makes one object the other; a list that differs is replaced as a whole. */
export function mergePatch(before: object, after: object): Readonly<Record<string, unknown>> {
  const [from, to] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const patch = [...new Set([...from.keys(), ...to.keys()])].flatMap((key): (readonly [string, unknown])[] => {
    const [old, now] = [from.get(key), to.get(key)];
    if (canonical(old) === canonical(now)) return [];
    if (now === undefined) return [[key, null]];
    return [[key, isFields(old) && isFields(now) ? mergePatch(old, now) : now]];
  });
  return Object.fromEntries(patch);
}
