import { type Case, post } from '../case.ts';
import { crd, shop } from './bodies.ts';
import { served, shops } from './served.ts';

type Fields = Readonly<Record<string, unknown>>;

const string = { type: 'string' };
const integer = { type: 'integer' };
const ruled = (name: string, spec: Fields, specs: readonly Fields[]): Case => ({
  name,
  given: served(crd(spec)),
  steps: specs.map((value) => post(`${shops}?dryRun=All`, shop(value))),
});
const rules = (...all: readonly Fields[]) => ({ 'x-kubernetes-validations': all });

/** CEL rules. */
export const crdRulesCases: readonly Case[] = [
  ruled(
    'a rule refuses with its message, or with itself',
    {
      properties: { min: integer, max: integer },
      ...rules({ rule: 'self.min <= self.max', message: 'min must not be above max' }, { rule: 'self.max < 10' }),
    },
    [
      { min: 1, max: 2 },
      { min: 3, max: 2 },
      { min: 11, max: 10 },
    ],
  ),
  ruled(
    'a rule may make its message, name its field and its reason',
    {
      properties: { min: integer, max: integer },
      ...rules({
        rule: 'self.min <= self.max',
        messageExpression: 'self.max > 5 ? "a lot too small" : "a little too small"',
        fieldPath: '.min',
        reason: 'FieldValueForbidden',
      }),
    },
    [{ min: 3, max: 2 }],
  ),
  ruled(
    'a rule on a field that is absent is not asked',
    { properties: { size: { ...integer, ...rules({ rule: 'self > 2', message: 'too small' }) } } },
    [{}, { size: 1 }],
  ),
  ruled(
    'a rule that meets what is not there breaks',
    { properties: { min: integer, max: integer }, ...rules({ rule: 'self.min <= self.max' }) },
    [{ min: 1 }, {}],
  ),
  ruled(
    'rules know has(), lists, maps and macros',
    {
      properties: {
        list: {
          type: 'array',
          maxItems: 9,
          items: { type: 'object', properties: { name: { ...string, maxLength: 9 }, n: integer } },
        },
        map: { type: 'object', maxProperties: 9, additionalProperties: { ...string, maxLength: 9 } },
      },
      ...rules(
        { rule: 'has(self.list) || has(self.map)', message: 'one of both' },
        {
          rule: '!has(self.list) || self.list.all(x, has(x.name) && x.name.startsWith("a"))',
          message: 'names begin with a',
        },
        { rule: '!has(self.list) || self.list.exists_one(x, x.n == 1)', message: 'one n is 1' },
        {
          rule: '!has(self.map) || self.map.all(k, self.map[k].size() > 1 && k.matches("^[a-z]+$"))',
          message: 'long values',
        },
        { rule: '!has(self.list) || self.list.map(x, x.n).filter(n, n > 5).size() == 0', message: 'no n above 5' },
      ),
    },
    [
      {},
      { list: [{ name: 'b', n: 1 }] },
      {
        list: [
          { name: 'a', n: 1 },
          { name: 'ab', n: 1 },
        ],
      },
      { map: { a: 'x' } },
      {
        list: [
          { name: 'a', n: 1 },
          { name: 'ab', n: 6 },
        ],
        map: { a: 'xx' },
      },
    ],
  ),
  ruled(
    'rules know ip() and cidr()',
    {
      properties: { address: { ...string, maxLength: 50 }, range: { ...string, maxLength: 50 } },
      ...rules(
        { rule: 'isIP(self.address) && ip(self.address).family() == 4', message: 'an IPv4 address' },
        {
          rule: '!has(self.range) || (isCIDR(self.range) && cidr(self.range).containsIP(self.address))',
          message: 'in its range',
        },
        { rule: 'isIP(self.address) && !ip(self.address).isLoopback()', message: 'no loopback' },
      ),
    },
    [
      { address: '10.0.0.1' },
      { address: 'x' },
      { address: '::1' },
      { address: '10.0.0.1', range: '10.0.0.0/24' },
      { address: '10.0.1.1', range: '10.0.0.0/24' },
      { address: '127.0.0.1', range: '10/8' },
    ],
  ),
  ruled(
    'rules know url(), quantity(), dates and strings',
    {
      properties: {
        url: { ...string, maxLength: 99 },
        size: { ...string, maxLength: 20 },
        time: { ...string, format: 'date-time' },
        text: { ...string, maxLength: 20 },
      },
      ...rules(
        { rule: '!has(self.url) || (isURL(self.url) && url(self.url).getScheme() == "https")', message: 'https' },
        {
          rule: '!has(self.size) || (isQuantity(self.size) && quantity(self.size).isLessThan(quantity("1Gi")))',
          message: 'below 1Gi',
        },
        { rule: '!has(self.time) || self.time < timestamp("2001-01-01T00:00:00Z")', message: 'old' },
        {
          rule: '!has(self.text) || self.text.lowerAscii().replace("a", "b").split(",").size() < 3',
          message: 'two parts',
        },
      ),
    },
    [
      { url: 'https://example.com', size: '1Mi', time: '2000-01-01T00:00:00Z', text: 'A,b' },
      { url: 'http://example.com' },
      { size: '2Gi' },
      { time: '2002-01-01T00:00:00Z' },
      { text: 'a,b,c' },
    ],
  ),
  ruled(
    'rules know optional values',
    {
      properties: { a: string, b: string },
      ...rules(
        { rule: 'self.?a.orValue("x") == "x"', message: 'a is x' },
        { rule: 'self.?b.hasValue() ? self.b == "y" : true', message: 'b is y' },
      ),
    },
    [{}, { a: 'z' }, { b: 'z' }],
  ),
];
