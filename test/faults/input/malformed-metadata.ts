import { bases } from './bases.ts';
import { hostileTexts } from './hostile-texts.ts';
import type { Base, Fields, MalformedResource } from './malformed-resource.ts';

/** What an object says of itself, made wrong: its names, labels, annotations, finalizers, owners, and what it is. */
export function malformedMetadata(): readonly MalformedResource[] {
  const [service, message] = (['DistributedService', 'Message'] as const).map((kind) =>
    bases.filter((base) => base.kind === kind),
  );
  return [service, message].flatMap((own) =>
    [...new Map((own ?? []).map((base) => [base.object.apiVersion, base])).values()].flatMap(ofBase),
  );
}

const long = 'a'.repeat(64);
const owner = { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'b' };

/** By the field that a refusal must name. */
const wrong: Readonly<Record<string, readonly unknown[]>> = {
  labels: [
    ...['x', 7, ['a'], { a: 1 }, { a: {} }, { a: ['x'] }, { a: true }, { 'a b': 'x' }, { 'a/b/c': 'x' }, { '/a': 'x' }],
    ...[
      { 'A_/x': 'x' },
      { [long]: 'x' },
      { '': 'x' },
      { [`${'a'.repeat(254)}/a`]: 'x' },
      { a: long },
      { a: '-x' },
      { a: 'x y' },
    ],
  ],
  annotations: [
    'x',
    7,
    ['a'],
    { a: 1 },
    { a: { b: 'c' } },
    { a: [] },
    { 'a b': 'x' },
    { '': 'x' },
    { 'a/b/c': 'x' },
    { a: 'x'.repeat(262_145) },
  ],
  finalizers: ['x', { a: 1 }, [7], [{}], ['a b'], [''], ['/'], ['example.com/'], ['example.com/a b'], [long + long]],
  ownerReferences: [
    ...['x', { a: 1 }, [7], [{}], [{ ...owner, uid: '' }], [{ ...owner, kind: '' }], [{ ...owner, name: '' }]],
    ...[
      [{ ...owner, apiVersion: '' }],
      [{ ...owner, apiVersion: 'a/b/c' }],
      [{ ...owner, kind: 'Event' }],
      [{ ...owner, uid: 7 }],
    ],
    [
      { ...owner, controller: true },
      { ...owner, uid: 'c', controller: true },
    ],
  ],
  name: ['', 7, {}, ['a'], true, 'A', 'a_b', 'a/b', '-a', 'a-', 'a..b', '.a', 'a'.repeat(254)],
  namespace: [7, {}, ['a'], true],
  generateName: [7, {}, ['a']],
  creationTimestamp: ['yesterday', '2026-02-30T00:00:00Z', {}, ['a'], true],
  deletionTimestamp: ['yesterday', {}, ['a']],
  deletionGracePeriodSeconds: ['x', {}, 1.5],
  generation: ['x', {}, 1.5],
  uid: [7, {}, ['a']],
  resourceVersion: [7, {}, ['a']],
  managedFields: ['x', 7, { a: 1 }, [7]],
  selfLink: [7, {}],
};

function ofBase({ name: base, kind, object }: Base): readonly MalformedResource[] {
  const row = (field: string, what: string, bad: { readonly object: Fields; readonly naming: readonly string[] }) => ({
    name: `${base}: ${field} is ${what}`,
    base,
    field,
    object: bad.object,
    expected: { is: 'refused', naming: bad.naming } as const,
  });
  const meta = (field: string, value: unknown): Fields => ({
    ...object,
    metadata: { ...object.metadata, [field]: value },
  });
  const texts = ['name', 'finalizers', 'labels'] as const;
  const hostile = texts.flatMap((field) =>
    hostileTexts
      .filter((text) => !isFine(text, field))
      .map((text) => {
        const value = field === 'name' ? text : field === 'labels' ? { [text]: 'x' } : [text];
        return row(`metadata.${field}`, `hostile: ${JSON.stringify(text.slice(0, 30))} of ${text.length}`, {
          object: meta(field, value),
          naming: [field],
        });
      }),
  );
  const plain = Object.entries(wrong).flatMap(([field, values]) =>
    values.map((value) => {
      const text = JSON.stringify(value);
      // Where a time cannot be read the API server names the text and not the field.
      const naming = field.endsWith('Timestamp') ? [field, 'parsing time'] : [field];
      return row(`metadata.${field}`, `${text.slice(0, 60)} of ${text.length}`, { object: meta(field, value), naming });
    }),
  );
  const names = kind === 'DistributedService' ? ['web.shop', long, 'a.b.c'] : [];
  const forLabel = names.map((name) =>
    row('metadata.name', `no label: ${name}`, { object: meta('name', name), naming: ['name must be a DNS label'] }),
  );
  const wholes = ['x', 7, ['a'], true].map((value) =>
    row('metadata', JSON.stringify(value), { object: { ...object, metadata: value }, naming: ['ObjectMeta'] }),
  );
  const versions = ['frp.io/v2', 'frp.io', 'v1', 'myorg.dev/v1beta1', 'evil.dev/v1', 7, {}].map((apiVersion) =>
    row('apiVersion', JSON.stringify(apiVersion), {
      object: { ...object, apiVersion },
      naming: ['apiVersion', 'does not match', 'API version'],
    }),
  );
  const kinds = ['Pod', 'distributedservice', 'List', 7, []].map((value) =>
    row('kind', JSON.stringify(value), { object: { ...object, kind: value }, naming: ['kind', 'does not match'] }),
  );
  return [...plain, ...hostile, ...forLabel, ...wholes, ...versions, ...kinds];
}

/** Some of the hostile texts are harmless where they stand. */
function isFine(text: string, field: 'name' | 'finalizers' | 'labels'): boolean {
  if (field === 'name') return /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(text) && text.length <= 253;
  return /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(text);
}
