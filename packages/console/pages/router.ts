import { computed, signal } from '@preact/signals';
import { hashOf, routeOf } from '../model/route.ts';

const hash = signal(location.hash);

/** Where the person is. */
export const route = computed(() => routeOf(hash.value));

/** Follows the address bar from now on. */
export function followAddress(): void {
  hash.value = location.hash;
  addEventListener('hashchange', () => {
    hash.value = location.hash;
  });
}

export function go(...parts: readonly (string | number)[]): void {
  location.hash = hashOf(parts);
}

/** Changes the query of the page without a new entry in the history. */
export function setQuery(query: Readonly<Record<string, string>>): void {
  history.replaceState(null, '', hashOf(route.value.parts, query));
  hash.value = location.hash;
}
