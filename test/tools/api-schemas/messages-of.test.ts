import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { declarationsIn } from '../../../tools/api-schemas/go-source.ts';
import { messagesOf } from '../../../tools/api-schemas/messages-of.ts';

const imports = `import (
	garden "k8s.io/api/garden/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)`;
const garden = `type Flour struct {
	Kind Grain \`json:"kind" protobuf:"bytes,1,opt,name=kind"\`
}
type Grain string
type Unused struct {
	Odd float64 \`json:"odd" protobuf:"fixed64,1,opt,name=odd"\`
}
`;

/** What is written for a field of this type, in a package with a few types of its own. */
function messagesFor(type: string) {
  const bakery = `${imports}
type Bread struct {
	Field ${type} \`json:"field" protobuf:"bytes,12,opt,name=field"\`
}
type Crumb struct {
	Crumbs []Crumb \`json:"crumbs" protobuf:"bytes,2,rep,name=crumbs"\`
	Name string \`json:"name" protobuf:"bytes,1,opt,name=name"\`
}
type Prices map[Currency]*Amount
type Amount int32
type Key []byte
`;
  const packages = new Map([
    ['k8s.io/api/bakery/v1', declarationsIn(bakery)],
    ['k8s.io/api/garden/v2', declarationsIn(garden)],
  ]);
  return messagesOf({ 'k8s.io/api/bakery/v1': ['Bread'] }, (path) => packages.get(path) ?? new Map());
}

describe('the type of a field', () => {
  const rows = [
    { go: 'string', wants: 'string' },
    { go: 'bool', wants: 'bool' },
    { go: '*int32', wants: '*int32' },
    { go: 'int', wants: 'int64' },
    { go: '[]byte', wants: 'bytes' },
    { go: 'Key', wants: 'bytes' },
    { go: 'map[string][]byte', wants: '{}bytes' },
    { go: 'Prices', wants: '{}*int32' },
    { go: '[]garden.Grain', wants: '[]string' },
    { go: '*garden.Flour', wants: '*garden.v2.Flour' },
    { go: '[]Crumb', wants: '[]bakery.v1.Crumb' },
    { go: 'metav1.Time', wants: 'time' },
    { go: '*metav1.MicroTime', wants: '*time' },
    { go: '*metav1.FieldsV1', wants: '*raw' },
    { go: 'runtime.RawExtension', wants: 'raw' },
    { go: 'map[garden.Grain]resource.Quantity', wants: '{}quantity' },
    { go: '*intstr.IntOrString', wants: '*intOrString' },
  ];
  for (const { go, wants } of rows) {
    it(`${go} is written ${wants}`, () => assert.equal(messagesFor(go)['bakery.v1.Bread']?.[12], `field ${wants}`));
  }

  const refused = [
    { go: 'float64', sentence: 'k8s.io/api/bakery/v1.float64 is not a type that the decoder knows' },
    { go: 'garden.Barn', sentence: 'k8s.io/api/garden/v2.Barn is not a type that the decoder knows' },
    { go: 'sea.Salt', sentence: 'k8s.io/api/bakery/v1 imports nothing as sea' },
  ];
  for (const { go, sentence } of refused) {
    it(`${go} is refused in one sentence`, () => assert.throws(() => messagesFor(go), { message: sentence }));
  }
});

describe('the messages', () => {
  it('are those of the roots and of everything that they refer to, in order', () => {
    const text = JSON.stringify(messagesFor('map[string]garden.Flour'));
    assert.equal(text, '{"bakery.v1.Bread":{"12":"field {}garden.v2.Flour"},"garden.v2.Flour":{"1":"kind string"}}');
  });

  it('may refer to themselves, and have their fields by number', () => {
    const text = JSON.stringify(messagesFor('Crumb')['bakery.v1.Crumb']);
    assert.equal(text, '{"1":"name string","2":"crumbs []bakery.v1.Crumb"}');
  });
});
