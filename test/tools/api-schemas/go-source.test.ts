import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { declarationsIn } from '../../../tools/api-schemas/go-source.ts';

const source = `/*
type Licence struct {
*/
package v1

import (
	"time"

	// where bread comes from
	grain "garden.example/grain/v2"
	"garden.example/water"
)

import salt "sea.example/salt"

// Bread is baked.
type Bread struct {
	Shape \`json:",inline" protobuf:"bytes,1,opt,name=shape"\`
	grain.Flour \`json:"flour" protobuf:"bytes,2,opt,name=flour"\`

	// Slices is tombstoned, protobuf:"bytes,3,opt,name=slices"
	// +optional
	Slices []*grain.Slice \`json:"slices,omitempty" patchStrategy:"merge" protobuf:"bytes,4,rep,name=slices"\` // many
	Prices map[string]water.Price \`protobuf:"bytes,5,rep,name=prices" json:"prices"\`
	Weight int64 \`json:",omitempty" protobuf:"varint,6,opt,name=weight"\`
	Secret string \`json:"-" protobuf:"bytes,7,opt,name=secret"\`
	Age time.Duration \`json:"age" protobuf:"-"\`
	Shelf string \`json:"shelf"\`
	baker func(at time.Time) string
}

type Shape string // round or long
type Loaf = Bread
type Basket map[Shape][]Bread
type Empty struct{}
type Eater interface {
	Eat(bread Bread)
}

func (b Bread) String() string {
	type Hidden struct {
		Crumb string \`json:"crumb" protobuf:"bytes,1,opt,name=crumb"\`
	}
	return ""
}
`;

describe('the types of a Go file', () => {
  const found = declarationsIn(source);

  it('are those that it declares outside comments and functions', () => {
    assert.deepEqual([...found.keys()].sort(), ['Basket', 'Bread', 'Loaf', 'Shape']);
  });

  const names = [
    { name: 'Shape', of: 'string', what: 'a name for a plain type, with a comment after it' },
    { name: 'Loaf', of: 'Bread', what: 'an alias' },
    { name: 'Basket', of: 'map[Shape][]Bread', what: 'a name for a map' },
  ];
  for (const { name, of, what } of names) {
    it(`know ${what}`, () => {
      const declaration = found.get(name);
      assert.deepEqual(declaration, { kind: 'name', of, imports: found.get('Bread')?.imports });
    });
  }

  it('know what the file imports, under the name it has there', () => {
    assert.deepEqual(
      [...(found.get('Bread')?.imports ?? [])],
      [
        ['time', 'time'],
        ['grain', 'garden.example/grain/v2'],
        ['water', 'garden.example/water'],
        ['salt', 'sea.example/salt'],
      ],
    );
  });
});

describe('the fields of a struct', () => {
  const bread = declarationsIn(source).get('Bread');
  const fields = bread?.kind === 'struct' ? bread.fields : [];

  const rows = [
    { number: 1, json: '', type: 'Shape', what: 'an inlined struct has no name' },
    { number: 2, json: 'flour', type: 'grain.Flour', what: 'an embedded struct has the name of its tag' },
    { number: 4, json: 'slices', type: '[]*grain.Slice', what: 'other tags and a comment after it do no harm' },
    { number: 5, json: 'prices', type: 'map[string]water.Price', what: 'the order of the tags does not matter' },
    { number: 6, json: 'Weight', type: 'int64', what: 'without a name in its tag it has that of Go' },
  ];
  for (const { what, ...field } of rows) {
    it(`${field.number}: ${what}`, () =>
      assert.deepEqual(
        fields.find(({ number }) => number === field.number),
        field,
      ));
  }

  it('are only those that are both in protobuf and in JSON', () => {
    assert.deepEqual(
      fields.map(({ number }) => number),
      [1, 2, 4, 5, 6],
    );
  });

  it('are refused where one with a number is not understood', () => {
    const odd = 'type A struct {\n\tB, C string `json:"b" protobuf:"bytes,1,opt,name=b"`\n}\n';
    assert.throws(() => declarationsIn(odd), {
      message: 'cannot parse this line of Go: B, C string `json:"b" protobuf:"bytes,1,opt,name=b"`',
    });
  });
});
