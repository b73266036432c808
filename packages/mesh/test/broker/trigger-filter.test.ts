import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { wants } from '../../broker/trigger-filter.ts';
import type { Filter } from '../../mesh-spec.ts';
import { anEvent } from './build.ts';

const event = anEvent('1', { kind: 'Pod', namespace: '', name: 'web-1' });

function one(dialect: 'exact' | 'prefix' | 'suffix' | 'attributes', attributes: Record<string, string>): Filter {
  return { dialect, attributes };
}
const yes = one('exact', { kind: 'Pod' });
const no = one('exact', { kind: 'Node' });

suite('a Trigger', () => {
  const rows: readonly [name: string, filters: readonly Filter[], wanted: boolean][] = [
    ['without filters wants everything', [], true],
    ['wants the exact value', [yes], true],
    ['does not want another value', [no], false],
    ['does not want another case of letters', [one('exact', { kind: 'pod' })], false],
    ['does not want an event without the attribute', [one('exact', { missing: '' })], false],
    ['wants the empty namespace of a cluster-scoped object', [one('exact', { namespace: '' })], true],
    ['wants all attributes of one filter', [one('exact', { kind: 'Pod', name: 'web-2' })], false],
    ['wants a beginning', [one('prefix', { name: 'web-' })], true],
    ['does not take an end for a beginning', [one('prefix', { name: '-1' })], false],
    ['does not find a beginning in nothing', [one('prefix', { missing: '' })], false],
    ['wants an end', [one('suffix', { type: '.sold' })], true],
    ['does not take a beginning for an end', [one('suffix', { type: 'shop.' })], false],
    ['wants what all want', [{ dialect: 'all', filters: [yes, one('prefix', { name: 'web' })] }], true],
    ['does not want what one of all does not', [{ dialect: 'all', filters: [yes, no] }], false],
    ['wants what any wants', [{ dialect: 'any', filters: [no, yes] }], true],
    ['does not want what none of any wants', [{ dialect: 'any', filters: [no, no] }], false],
    ['wants what not does not', [{ dialect: 'not', filter: no }], true],
    [
      'wants an event without the attribute that not asks for',
      [{ dialect: 'not', filter: one('exact', { x: '' }) }],
      true,
    ],
    ['wants all of its filters', [yes, no], false],
    ['of the old kind wants an attribute to be there', [one('attributes', { kind: '', namespace: '' })], true],
    ['of the old kind misses an attribute', [one('attributes', { missing: '' })], false],
    ['of the old kind wants exact values', [one('attributes', { kind: 'Pod', type: '' })], true],
    ['of the old kind does not want other values', [one('attributes', { kind: 'Po' })], false],
    ['may ask for the type of the data', [one('exact', { datacontenttype: 'application/json' })], true],
    ['never looks at the data', [one('exact', { data: '1' })], false],
    ['is not fooled by what objects inherit', [one('attributes', { constructor: '' })], false],
  ];
  for (const [name, filters, wanted] of rows) {
    test(name, () => assert.equal(wants(filters, event), wanted));
  }
});

const leaf = fc
  .tuple(
    fc.constantFrom('exact', 'prefix', 'suffix', 'attributes'),
    fc.dictionary(fc.constantFrom('kind', 'name', 'namespace', 'missing'), fc.constantFrom('', 'Pod', 'web-', '-1')),
  )
  .map(([dialect, attributes]): Filter => ({ dialect, attributes }));
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc
      .tuple(fc.constantFrom('all', 'any'), fc.array(tie('filter'), { maxLength: 3 }))
      .map(([dialect, filters]): Filter => ({ dialect, filters })),
    tie('filter').map((inner): Filter => ({ dialect: 'not', filter: inner })),
  ),
}));
const several = fc.array(filter, { maxLength: 4 });

suite('for any filters', () => {
  test('not turns the answer round', () => {
    const property = fc.property(filter, (f) => wants([f], event) !== wants([{ dialect: 'not', filter: f }], event));
    fc.assert(property);
  });

  test('a list is the same as all of it', () => {
    fc.assert(fc.property(several, (fs) => wants(fs, event) === wants([{ dialect: 'all', filters: fs }], event)));
  });

  test('any is what all is not, turned round twice', () => {
    fc.assert(
      fc.property(several, (filters) => {
        const turned = filters.map((inner): Filter => ({ dialect: 'not', filter: inner }));
        const all: Filter = { dialect: 'all', filters: turned };
        return wants([{ dialect: 'any', filters }], event) === wants([{ dialect: 'not', filter: all }], event);
      }),
    );
  });

  test('their order does not matter', () => {
    fc.assert(fc.property(several, (fs) => wants(fs, event) === wants(fs.toReversed(), event)));
  });

  test('an exact fit is a beginning and an end too', () => {
    const attributes = fc.constantFrom('kind', 'name', 'namespace', 'missing').map((name) => ({
      [name]: event.attributes[name] ?? 'x',
    }));
    fc.assert(
      fc.property(attributes, (given) => {
        const exact = wants([one('exact', given)], event);
        return exact === wants([one('prefix', given), one('suffix', given)], event);
      }),
    );
  });
});
