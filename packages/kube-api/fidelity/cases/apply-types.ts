import { apply, type Case, get, mergePatch, post, put, type Step, until } from '../case.ts';
import { owners } from './apply-steps.ts';
import { crd, shop } from './bodies.ts';
import { definitions, shops } from './served.ts';

type Fields = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const number = { type: 'integer' };
const path = `${shops}/web`;
const schema: Fields = {
  properties: {
    size: text,
    map: { type: 'object', additionalProperties: text },
    whole: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: text, b: text } },
    nested: { type: 'object', properties: { a: { type: 'object', properties: { b: text } }, c: text } },
    items: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name', 'port'],
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: text, port: { ...number, default: 80 }, value: text },
      },
    },
    tags: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
    steps: { type: 'array', items: { type: 'object', properties: { a: text } } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    embedded: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    either: { 'x-kubernetes-int-or-string': true },
    known: { ...text, default: 'x' },
  },
};
const served: readonly Step[] = [post(definitions, crd(schema)), until(shops, (_, code) => code === 200)];

function applyAs(manager: string, spec: Fields | undefined, query = ''): Step {
  return apply(`${path}?fieldManager=${manager}${query}`, shop(spec), owners);
}

/** The same, and its resourceVersion is `{version}` then: a PUT of a custom resource must have one. */
function appliedFirst(spec: Fields): Step {
  return apply(`${path}?fieldManager=m1`, shop(spec), { save: { version: 'metadata.resourceVersion' } });
}

function putAs(manager: string, spec: Fields): Step {
  const metadata = { name: 'web', resourceVersion: '{version}' };
  return put(`${path}?fieldManager=${manager}`, shop(spec, { metadata }), owners);
}

function item(name: string, more: Fields = {}): Fields {
  return { name, ...more };
}

function row(name: string, steps: readonly Step[], given: readonly Step[] = []): Case {
  return { name, given: [...served, ...given], steps };
}

/** Server-side apply of custom resources, by what their schema says of lists and maps. */
export const applyTypesCases: readonly Case[] = [
  row('fields of a custom resource are owned one by one', [
    applyAs('m1', { size: 'l', nested: { a: { b: '1' }, c: '2' } }),
    applyAs('m2', { map: { x: '1' } }),
    applyAs('m1', { nested: { c: '2' } }),
    applyAs('m1', undefined),
  ]),
  row('defaults belong to nobody who applies, but to whoever creates', [
    applyAs('m1', { size: 'l' }),
    applyAs('m2', { known: 'y' }),
    applyAs('m2', {}),
  ]),
  row('a POST owns the defaults', [post(`${shops}?fieldManager=m1`, shop({ size: 'l', items: [item('a')] }))]),
  row('an atomic map is owned as a whole', [
    applyAs('m1', { whole: { a: '1' } }),
    applyAs('m2', { whole: { b: '1' } }),
    applyAs('m2', { whole: { b: '1' } }, '&force=true'),
  ]),
  row('an atomic list is owned as a whole', [
    applyAs('m1', { steps: [{ a: '1' }, { a: '2' }] }),
    applyAs('m2', { steps: [{ a: '1' }] }),
    applyAs('m2', { steps: [{ a: '1' }] }, '&force=true'),
  ]),
  row('items of a list are found by their keys, and a key has its default', [
    applyAs('m1', { items: [item('a', { value: '1' }), item('b')] }),
    applyAs('m2', { items: [item('a', { port: 81 }), item('a', { port: 80, value: '1' })] }),
    applyAs('m3', { items: [item('a', { value: '2' })] }),
  ]),
  row(
    'an item that is no longer applied goes, unless another has something in it',
    [applyAs('m1', { items: [item('c')] }), applyAs('m2', {})],
    [
      applyAs('m1', { items: [item('a'), item('b', { value: '1' }), item('c')] }),
      applyAs('m2', { items: [item('b', { value: '1' })] }),
    ],
  ),
  row('the items of two who apply are woven together', [
    applyAs('m1', { items: ['a', 'b', 'c'].map((name) => item(name)) }),
    applyAs('m2', { items: ['x', 'b', 'y'].map((name) => item(name)) }),
    applyAs('m3', { items: ['c', 'a'].map((name) => item(name)) }),
    applyAs('m2', { items: ['y', 'z'].map((name) => item(name)) }),
  ]),
  row('values of a set are owned one by one', [
    applyAs('m1', { tags: ['a', 'b'] }),
    applyAs('m2', { tags: ['b', 'c'] }),
    applyAs('m1', { tags: ['a'] }),
    applyAs('m2', { tags: [] }),
  ]),
  row('what is preserved though unknown is owned field by field, its lists as a whole', [
    applyAs('m1', { free: { a: { b: 1 }, list: [1, 2] } }),
    applyAs('m2', { free: { a: { c: 2 }, list: [1] } }),
    applyAs('m2', { free: { a: { c: 2 } } }),
    applyAs('m2', { free: { a: 'text' } }, '&force=true'),
  ]),
  row('an embedded resource has metadata with owners of their own', [
    applyAs('m1', { embedded: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels: { x: '1' } } } }),
    applyAs('m2', { embedded: { apiVersion: 'v1', kind: 'Pod', metadata: { labels: { y: '1' } }, spec: { a: 1 } } }),
  ]),
  row('a number or a text is one field', [applyAs('m1', { either: 1 }), applyAs('m2', { either: '1' })]),
  row('what does not fit the schema is not applied', [
    applyAs('m1', { color: 'red' }),
    applyAs('m1', { size: 1 }),
    applyAs('m1', { items: [{ value: '1' }, { name: 'a' }, { name: 'a', port: 80 }] }),
    applyAs('m1', { tags: ['a', 'a'] }),
    applyAs('m1', { tags: [{}] }),
    applyAs('m1', { items: [null] }),
    get(path),
  ]),
  row(
    'a PUT owns what it changes in lists, by their keys',
    [
      putAs('m2', { items: [item('c'), item('a', { value: '2' })], tags: ['c', 'a'] }),
      applyAs('m1', { items: [item('a')], tags: ['a'] }),
    ],
    [appliedFirst({ items: [item('a', { value: '1' }), item('b')], tags: ['a', 'b'] })],
  ),
  row(
    'another order of a set belongs to nobody',
    [putAs('m2', { tags: ['b', 'a'] }), mergePatch(`${path}?fieldManager=m3`, { spec: { tags: ['a'] } }, owners)],
    [appliedFirst({ tags: ['a', 'b'] })],
  ),
];
