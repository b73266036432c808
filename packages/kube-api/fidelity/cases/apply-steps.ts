import { at, type Options } from '../case.ts';

/**
 * Entries of managedFields come by their time in seconds, so what two managers write shortly after one another may
 * come in either order, and conflicts with several managers come in no order: both are compared sorted.
 */
export const owners: Options = {
  view: (body) => sorted(sorted(body, 'metadata', 'managedFields'), 'details', 'causes'),
};

function sorted(body: unknown, parent: string, key: string): unknown {
  const list = at(body, `${parent}.${key}`);
  if (!Array.isArray(list)) return body;
  const entries = list.toSorted((one, other) => nameOf(one).localeCompare(nameOf(other)));
  return { ...(body as object), [parent]: { ...(at(body, parent) as object), [key]: entries } };
}

function nameOf(entry: unknown): string {
  const keys = ['operation', 'manager', 'subresource', 'apiVersion', 'message', 'field'];
  return keys.map((key) => String(at(entry, key) ?? '')).join(' ');
}
