import { at, post, type Step } from '../case.ts';
import { crd, shop } from './bodies.ts';
import { served, shops } from './served.ts';

export type Fields = Readonly<Record<string, unknown>>;

export const string = { type: 'string' };
export const properties = {
  color: string,
  kind: { type: 'string', default: 'corner' },
  size: { type: 'integer' },
  on: { type: 'boolean' },
  note: { type: 'string', nullable: true },
  hostNetwork: { type: 'boolean' },
  place: { type: 'object', properties: { town: string } },
  labels: { type: 'object', additionalProperties: string },
  secret: string,
};
const selectable = ['color', 'kind', 'size', 'on', 'note', 'hostNetwork', 'place.town', 'labels.tier'];
export const fieldsOf = (names: readonly string[]) => names.map((name) => ({ jsonPath: `.spec.${name}` }));
export const ofShops = crd({ properties }, { selectableFields: fieldsOf(selectable) });
export const named = (name: string, spec: Fields | undefined, labels: Fields = {}): Step =>
  post(shops, shop(spec, { metadata: { name, labels } }));
export const five: readonly Step[] = [
  ...served(ofShops),
  named('a', { color: 'red', size: 1, on: true, note: 'x', place: { town: 'Ulm' }, labels: { tier: 'x' } }, { n: '1' }),
  named('b', { color: 'blue', size: 10, on: false, note: '', place: {}, labels: {} }, { n: '2' }),
  named('c', { color: '', size: 0, note: null, kind: 'mall' }),
  named('d', undefined),
  named('e', { color: 'a,b=c\\d', size: -1, hostNetwork: false }),
];
export const encoded = (selector: string) => encodeURIComponent(selector).replace('%7Bns%7D', '{ns}');
export const byField = (selector: string) => `${shops}?fieldSelector=${encoded(selector)}`;

function itemsOf(body: unknown): readonly unknown[] {
  const items = at(body, 'items');
  return Array.isArray(items) ? items : [];
}

/** The names in a list, or the Status that came instead. */
export function namesOrError(body: unknown): unknown {
  return at(body, 'kind') === 'Status' ? body : itemsOf(body).map((item) => at(item, 'metadata.name'));
}
