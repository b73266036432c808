import { computed, signal } from '@preact/signals';
import { hashOf, routeOf } from '../model/route.ts';

const hash = signal(location.hash);

/** Where the person is. */
export const route = computed(() => routeOf(hash.value));

/** The query of each list as a person saw it last. */
const lists = new Map<string, string>();

function follow(): void {
  hash.value = location.hash;
  const { parts, query } = route.value;
  const [list = ''] = parts;
  if (parts.length < 2) lists.set(list, query.toString());
}

/** Follows the address bar from now on. */
export function followAddress(): void {
  follow();
  addEventListener('hashchange', follow);
}

/** From a thing to the list of such things, as it was; from an object, which has no list, to the flow. */
export function up(): void {
  const { parts } = route.value;
  const above = parts.slice(0, parts[0] === 'objects' ? 0 : -1);
  location.hash = hashOf(above, Object.fromEntries(new URLSearchParams(lists.get(above[0] ?? '') ?? '')));
}

export function go(...parts: readonly (string | number)[]): void {
  location.hash = hashOf(parts);
}

/** Changes the query of the page without a new entry in the history. */
export function setQuery(query: Readonly<Record<string, string>>): void {
  history.replaceState(null, '', hashOf(route.value.parts, query));
  follow();
}
