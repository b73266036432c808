import type { Handler } from '../../domain/ports.ts';
import { changeRowOf, wakingOf } from '../../functions/change-rows.ts';
import type { FaultSuite } from './suite.ts';

/** The functions of a suite by `group/Kind`: those that a controller of its resources has, and what the suite adds. */
export function rowsOf({
  resources,
  handlers = [],
}: Pick<FaultSuite, 'resources' | 'handlers'>): ReadonlyMap<string, Handler> {
  return new Map([
    ...wakingOf(resources).map((one) => [one.kind, changeRowOf(one).handle] as const),
    ...handlers.map(({ kind, handle }) => [kind, handle] as const),
  ]);
}
