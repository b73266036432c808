import difference from 'microdiff';
import type { Change } from './types.ts';

/** What differs between two values, place by place. `metadata.managedFields` is left out: each write moves it. */
export function changesOf(before: unknown, after: unknown): readonly Change[] {
  const found = difference(wrapped(before), wrapped(after), { cyclesFix: false });
  return found
    .map(({ path, type, ...change }): Change => {
      const place = `/${path.slice(1).map(escaped).join('/')}`;
      const was = 'oldValue' in change ? { was: change.oldValue } : {};
      const value = 'value' in change ? { value: change.value } : {};
      return { op: operations[type], path: place === '/' ? '' : place, ...value, ...was };
    })
    .filter(({ path }) => !noise.test(path));
}

/** The places of changes as people write them: `spec.text`, `status.conditions`; each once, a list as one place. */
export function placesOf(changes: readonly Change[]): readonly string[] {
  const places = changes.map(({ path }) => {
    const parts = path.split('/').slice(1).map(unescaped);
    const index = parts.findIndex((part) => /^\d+$/.test(part));
    return (index < 0 ? parts : parts.slice(0, index)).slice(0, 3).join('.');
  });
  return [...new Set(places)].filter((place) => place !== '');
}

/** A value as one line or several of JSON. */
export function shownOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '');
}

const operations = { CREATE: 'add', REMOVE: 'remove', CHANGE: 'replace' } as const;
const noise = /^\/metadata\/(?:managedFields|resourceVersion|generation)(?:\/|$)/;

function wrapped(value: unknown): Record<string, unknown> {
  return { value: value ?? {} };
}

function escaped(part: string | number): string {
  return String(part).replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescaped(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~');
}
