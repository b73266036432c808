import type { KubeObject } from '../domain/kube-object.ts';
import type { Cursor } from './cursor.ts';
import { hash, keyOf } from './order.ts';

/** Objects of one page. Metadata alone is seldom more than 2 KB each. Children are only looked at. */
const pageSize = { parents: 100, children: 250 } as const;

/** Objects that are passed over by one read. */
const passedAtOnce = 500;

interface Page {
  readonly objects: readonly KubeObject[];
  readonly next: string;
  readonly remaining: number;
}

/** How many objects to ask for at this place. */
export function limitOf({ ring }: Cursor, of: keyof typeof pageSize): number {
  return ring?.part === 'way' ? Math.min(ring.left, passedAtOnce) : pageSize[of];
}

/** Where a round enters a list whose first page this is: as many objects are passed over as its name says. */
export function entered(cursor: Cursor, { objects, next, remaining }: Page): Cursor {
  const { ring, round, kind, token, after } = cursor;
  if (ring !== undefined) return cursor;
  const isFirst = token === '' && after === '' && next !== '';
  const skip = isFirst ? hash(`${round}/${kind}`) % (objects.length + remaining) : 0;
  if (skip >= objects.length && next !== '') return { ...cursor, ring: { part: 'way', left: skip } };
  const last = objects[skip - 1];
  return { ...cursor, ring: { part: 'tail', edge: last === undefined ? '' : keyOf(last) } };
}

/** Where to read on after a page that is only passed over; undefined for one whose objects have their turn. */
export function passedOver(cursor: Cursor, { objects, next }: Page): Cursor | undefined {
  if (cursor.ring?.part !== 'way') return undefined;
  const left = cursor.ring.left - objects.length;
  const last = objects.at(-1);
  // The list has become shorter meanwhile: all of it, from its beginning.
  if (next === '' || last === undefined) return { ...cursor, token: '', ring: { part: 'tail', edge: '' } };
  return { ...cursor, token: next, ring: left > 0 ? { part: 'way', left } : { part: 'tail', edge: keyOf(last) } };
}

/** The objects of a page that belong to this part of the ring, and what comes after it; empty: this part is through. */
export function partOf({ ring }: Cursor, { objects, next }: Page): Pick<Page, 'objects' | 'next'> {
  if (ring === undefined || ring.part === 'way') return { objects, next };
  if (ring.part === 'tail') return { objects: objects.filter((object) => keyOf(object) > ring.edge), next };
  const own = objects.filter((object) => keyOf(object) <= ring.edge);
  return { objects: own, next: own.length < objects.length ? '' : next };
}

/** The head of the ring, once its tail is through; undefined where the ring has no head. */
export function headAfter(cursor: Cursor): Cursor | undefined {
  const { ring } = cursor;
  if (ring?.part !== 'tail' || ring.edge === '') return undefined;
  return { ...cursor, token: '', after: '', through: '', ring: { part: 'head', edge: ring.edge } };
}

/** The same part from its beginning; of a tail that is the entry, which is looked for anew. */
export function anew({ ring: entry, ...cursor }: Cursor): Cursor {
  const from = { ...cursor, token: '', after: '', through: '' };
  return entry?.part === 'head' ? { ...from, ring: entry } : from;
}
