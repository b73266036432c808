import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../json.ts';
import { rulesOf } from '../schema/cel.ts';
import { ruleCauses } from '../schema/rules.ts';
import type { Schema } from '../schema/schema.ts';

const text: Schema = { type: 'string' };
const schema: Schema = {
  type: 'object',
  properties: {
    n: { type: 'integer' },
    x: { type: 'number' },
    b: { type: 'boolean' },
    s: text,
    either: { 'x-kubernetes-int-or-string': true },
    maybe: { type: 'object', nullable: true, properties: { a: text } },
    list: { type: 'array', items: { type: 'integer' } },
    objects: { type: 'array', items: { type: 'object', properties: { 'a-b': text, namespace: text } } },
    map: { type: 'object', additionalProperties: { type: 'integer' } },
    time: { type: 'string', format: 'date-time' },
    day: { type: 'string', format: 'date' },
    length: { type: 'string', format: 'duration' },
    data: { type: 'string', format: 'byte' },
    raw: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const self: Json = {
  n: 3,
  x: 1.5,
  b: true,
  s: 'abc',
  either: 'x',
  maybe: { a: [1] },
  list: [1, 2, 3],
  objects: [{ 'a-b': 'x', namespace: 'y' }],
  map: { k: 1 },
  time: '2000-01-01T00:00:00Z',
  day: '2000-01-01',
  length: '90s',
  data: 'aGk=',
  raw: { a: 1 },
};

for (const rule of [
  'self.n % 2 == 1 && self.n + 1 == 4 && self.x < 2.0 && self.b',
  'self.list.sum() == 6 && self.list.max() == 3 && self.list.min() == 1 && self.list.isSorted() && self.list.indexOf(2) == 1',
  '![2, 1].isSorted() && [0.5, 1.0].sum() == 1.5 && ["b", "a"].max() == "b"',
  'self.objects.all(o, o.a__dash__b == "x" && o.__namespace__ == "y")',
  'self.map.all(k, self.map[k] == 1) && "k" in self.map',
  'type(self.either) == string && self.maybe.a[0] == 1',
  'self.time < timestamp("2001-01-01T00:00:00Z") && self.day == self.time',
  'self.length > duration("1m") && self.data == b"hi"',
  'self == self && self.objects == self.objects && self.map == self.map',
  'self.s.replace("b", "x") == "axc" && self.s.charAt(1) == "b" && self.s.reverse() == "cba"',
  'self.s.find("[bc]+") == "bc" && self.s.find("z") == "" && "a1b2".findAll("[0-9]").size() == 2 && "".findAll("x").size() == 0',
  'isIP("10.0.0.1") && !isIP("10.0.0.256") && ip("::1").family() == 6 && string(ip("10.0.0.1")) == "10.0.0.1"',
  'ip("127.0.0.1").isLoopback() && ip("0.0.0.0").isUnspecified() && ip("10.0.0.1").isGlobalUnicast()',
  'ip("224.0.0.1").isLinkLocalMulticast() && ip("fe80::1").isLinkLocalUnicast() && ip("10.0.0.1") == ip("10.0.0.1")',
  'cidr("10.0.0.0/8").containsIP("10.1.2.3") && !cidr("10.0.0.0/8").containsIP(ip("::1")) && !isCIDR("10.0.0.0/33")',
  'cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16") && !cidr("10.0.0.0/8").containsCIDR(cidr("0.0.0.0/0"))',
  'cidr("10.0.0.0/8").prefixLength() == 8 && string(cidr("10.0.0.0/8").ip()) == "10.0.0.0" && string(cidr("10.0.0.0/8")) == "10.0.0.0/8"',
  'url("https://a.b:81/c%20d?e=1&e=2").getHost() == "a.b:81" && url("https://[::1]:8080/").getHostname() == "::1"',
  'url("https://a.b:81/c?e=1&e=2").getQuery()["e"] == ["1", "2"] && url("/a").getScheme() == "" && url("http://a:81").getPort() == "81"',
  'isURL("/a") && !isURL("a b") && url("https://a/b c").getEscapedPath() == "/b%20c" && url("https://a").getScheme() == "https"',
  'quantity("1Gi").isGreaterThan(quantity("1G")) && quantity("500m").isLessThan(quantity("1")) && isQuantity("2e3")',
  'quantity("1").compareTo(quantity("1000m")) == 0 && quantity("-1").sign() == -1 && quantity("1k").asInteger() == 1000',
  'quantity("1.5").add(quantity("0.5")).isInteger() && quantity("1").sub(quantity("2")).compareTo(quantity("0")) == -1 && !isQuantity("x")',
  'self.?s.orValue("z") == "abc" && quantity("1n").sign() == 1 && quantity(".1n").sign() == 1',
]) {
  test(`holds: ${rule}`, () => {
    assert.deepEqual(ruleCauses({ ...schema, 'x-kubernetes-validations': [{ rule }] }, self, undefined), []);
  });
}

for (const [rule, fault] of [
  ['self.list[5] == 1', 'index out of bounds: 5'],
  ['self.n / 0 == 1', 'division by zero'],
  ['ip(self.s).isLoopback()', 'IP Address "abc" parse error during conversion from string'],
  ['cidr(self.s).prefixLength() == 1', 'network address parse error during conversion from string: abc'],
  ['url("a b").getPort() == ""', 'URL parse error during conversion from string: parse "a b": invalid URI for request'],
  [
    'quantity(self.s).sign() == 1',
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
  ],
  ['[1].filter(i, i > 2).min() == 1', 'min and max need a list that is not empty'],
  ['self.map["z"] == 1', 'no such key: z'],
] as const) {
  test(`breaks: ${rule}`, () => {
    const [cause] = ruleCauses({ ...schema, 'x-kubernetes-validations': [{ rule }] }, self, undefined);
    assert.equal(cause?.message, `Invalid value: "object": ${fault} evaluating rule: ${rule}`);
  });
}

for (const rule of [
  'self.raw.a == 1',
  'self.none',
  'self.list.all(i, v, v > 0)',
  '"%d".format([1]) == "1"',
  'sets.contains([1], [1])',
  'self.n +',
  'has(self.list[0].a)',
]) {
  test(`does not compile: ${rule}`, () => {
    const [compiled] = rulesOf({ ...schema, 'x-kubernetes-validations': [{ rule }] }, false);
    assert.equal(compiled?.checked.valid, false);
    assert.equal(ruleCauses({ ...schema, 'x-kubernetes-validations': [{ rule }] }, self, undefined).length, 1);
  });
}

test('a rule at the root sees the name, apiVersion and kind, and no other metadata', () => {
  const rule = 'self.metadata.name == "a" && self.kind == "K"';
  const root = { ...schema, 'x-kubernetes-validations': [{ rule }] };
  assert.deepEqual(ruleCauses(root, { kind: 'K', metadata: { name: 'a', labels: {} } }, undefined), []);
  const [labels] = rulesOf(
    { ...schema, 'x-kubernetes-validations': [{ rule: 'self.metadata.labels.size() > 0' }] },
    true,
  );
  assert.equal(labels?.checked.valid, false);
});

test('an old value may be optional, and a message that cannot be made gives way', () => {
  const optional = {
    rule: 'oldSelf.hasValue() && oldSelf.value().n == self.n',
    optionalOldSelf: true,
    messageExpression: 'self.list[9] == 1 ? "a" : "b"',
    message: 'm',
  };
  const root = { ...schema, 'x-kubernetes-validations': [optional] };
  assert.equal(ruleCauses(root, self, undefined)[0]?.message, 'Invalid value: m');
  assert.deepEqual(ruleCauses(root, self, { ...self, s: 'z' }), []);
});

test('two values are equal when all their parts are', () => {
  const root = { ...schema, 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is immutable' }] };
  assert.deepEqual(ruleCauses(root, self, structuredClone(self) as Json), []);
  const changes = [
    { objects: [] },
    { map: { k: 2 } },
    { time: '2001-01-01T00:00:00Z' },
    { list: [3, 2, 1] },
    { s: null },
  ];
  for (const over of changes) {
    assert.equal(
      ruleCauses(root, { ...self, ...over }, self)[0]?.message,
      'Invalid value: is immutable',
      JSON.stringify(over),
    );
  }
});
