import { type Case, get, mergePatch, post } from '../case.ts';
import { crd, shop } from './bodies.ts';
import { definition, definitions, served, shops, web } from './served.ts';

type Fields = Readonly<Record<string, unknown>>;

const string = { type: 'string' };
const integer = { type: 'integer' };
const rules = (...all: readonly Fields[]) => ({ 'x-kubernetes-validations': all });
const refused = (name: string, spec: Fields): Case => ({
  name,
  steps: [post(definitions, crd(spec)), get(definition)],
});

/** CEL rules that look at the old value, and rules that are refused. */
export const crdTransitionsCases: readonly Case[] = [
  {
    name: 'a transition rule holds an update against the old value, and a creation against none',
    given: [
      ...served(
        crd({
          properties: {
            size: { ...integer, ...rules({ rule: 'self >= oldSelf', message: 'it must not shrink' }) },
            once: { ...string, ...rules({ rule: 'self == oldSelf', message: 'it is immutable' }) },
          },
          ...rules({ rule: '!has(oldSelf.once) || has(self.once)', message: 'once stays' }),
        }),
      ),
      post(shops, shop({ size: 3, once: 'a' })),
    ],
    steps: [
      mergePatch(web, { spec: { size: 2 } }),
      mergePatch(web, { spec: { once: 'b' } }),
      mergePatch(web, { spec: { once: null } }),
      mergePatch(web, { spec: { size: 4 } }),
    ],
  },
  {
    name: 'a transition rule may be asked without an old value',
    given: served(
      crd({
        properties: {
          size: {
            ...integer,
            ...rules({
              rule: 'oldSelf.hasValue() ? self > oldSelf.value() : self == 1',
              optionalOldSelf: true,
              message: 'begin with 1 and grow',
            }),
          },
        },
      }),
    ),
    steps: [
      post(shops, shop({ size: 2 })),
      post(shops, shop({ size: 1 })),
      mergePatch(web, { spec: { size: 1 } }),
      mergePatch(web, { spec: { size: 0 } }),
      mergePatch(web, { spec: { size: 2 } }),
    ],
  },
  {
    name: 'a rule that was broken already does not refuse a change elsewhere',
    given: [
      ...served(
        crd({
          properties: {
            size: {
              ...integer,
              ...rules({ rule: 'self < 10 || oldSelf == self', message: 'small', optionalOldSelf: undefined }),
            },
            color: string,
          },
        }),
      ),
      post(shops, shop({ size: 20 })),
    ],
    steps: [mergePatch(web, { spec: { color: 'red' } }), mergePatch(web, { spec: { size: 30 } })],
  },
  refused('a rule that does not compile is refused', { properties: { a: string }, ...rules({ rule: 'self.a +' }) }),
  refused('a rule that is not of the type bool is refused', {
    properties: { a: string },
    ...rules({ rule: 'self.a' }),
  }),
  refused('a rule about a field that is not there is refused', {
    properties: { a: string },
    ...rules({ rule: 'self.b == "x"' }),
  }),
  refused('a rule that compares what has two types is refused', {
    properties: { a: integer },
    ...rules({ rule: 'self.a == "x"' }),
  }),
  refused('a message expression that gives no text is refused', {
    properties: { a: integer },
    ...rules({ rule: 'self.a > 1', messageExpression: 'self.a' }),
  }),
];
