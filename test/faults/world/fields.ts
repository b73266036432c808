import type { ChildRole } from '../../../resources/distributed-service/names.ts';
import type { Seen } from './world.ts';

/** An edit of one field of an object: the merge patch that makes it. */
export interface Edit {
  readonly path: string;
  readonly change: Readonly<Record<string, unknown>>;
}

type Fields = Readonly<Record<string, unknown>>;

/** Two edits for each field that an object has, another value and none, but for what only the API server writes. */
export function editsOf(object: Seen): readonly Edit[] {
  const { apiVersion, kind, status, metadata, ...fields } = object;
  const { labels = {}, annotations = {} } = metadata;
  const whole = { ...fields, metadata: { labels, annotations } };
  return leafPaths(whole, []).flatMap(({ at, value }) =>
    [otherThan(value, at), null].map((other) => ({
      path: at.join('.'),
      change: patchAt(whole, at, other) as Fields,
    })),
  );
}

interface Leaf {
  readonly at: readonly (string | number)[];
  readonly value: unknown;
}

function leafPaths(value: unknown, at: readonly (string | number)[]): readonly Leaf[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leafPaths(item, [...at, index]));
  if (typeof value !== 'object' || value === null) return [{ at, value }];
  return Object.entries(value).flatMap(([key, item]) => leafPaths(item, [...at, key]));
}

/** Another value of the same sort; what is data of a Secret stays base64. */
function otherThan(value: unknown, at: readonly (string | number)[]): unknown {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  const text = typeof value === 'string' ? value : '';
  return at[0] === 'data' && !text.startsWith('{') ? 'bWluZQ==' : `${text.slice(0, 20).replace(/[^\w.-]/g, '')}x`;
}

/** A merge patch replaces lists as a whole, so it holds the list with the one field changed. */
function patchAt(value: unknown, [key, ...rest]: readonly (string | number)[], other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? withOther(item, rest, other) : item));
  return { [key]: patchAt((value as Fields)[key], rest, other) };
}

function withOther(value: unknown, [key, ...rest]: readonly (string | number)[], other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? withOther(item, rest, other) : item));
  const { [key]: before, ...kept } = value as Fields;
  const after = withOther(before, rest, other);
  return after === null ? kept : { ...kept, [key]: after };
}

interface ForeignField {
  readonly what: string;
  readonly role: ChildRole;
  readonly change: (live: Seen) => Fields;
  readonly kept: (live: Seen) => boolean;
}

interface Templated {
  readonly template: { readonly spec: { readonly containers: readonly { readonly name: string }[] } };
}

const containersOf = ({ spec }: Seen) => (spec as unknown as Templated).template.spec.containers;

/** What others add to our children, as mesh injectors, autoscalers and people with tools do. */
export const foreignFields: readonly ForeignField[] = [
  {
    what: 'a label on the tunnel',
    role: 'tunnel',
    change: () => ({ metadata: { labels: { 'example.com/team': 'blue' } } }),
    kept: ({ metadata }) => metadata.labels?.['example.com/team'] === 'blue',
  },
  {
    what: 'an annotation on the endpoints',
    role: 'endpoints',
    change: () => ({ metadata: { annotations: { 'example.com/seen': 'yes' } } }),
    kept: ({ metadata }) => metadata.annotations?.['example.com/seen'] === 'yes',
  },
  {
    what: 'a further file in the ConfigMap of the tunnel',
    role: 'config',
    change: () => ({ data: { 'theirs.txt': 'theirs' } }),
    kept: ({ data }) => data?.['theirs.txt'] === 'theirs',
  },
  {
    what: 'a sidecar that was put into the tunnel',
    role: 'tunnel',
    change: (live) => ({
      spec: { template: { spec: { containers: [...containersOf(live), { name: 'sidecar', image: 'sidecar:1' }] } } },
    }),
    kept: (live) => containersOf(live).some(({ name }) => name === 'sidecar'),
  },
  {
    what: 'a node selector of the tunnel',
    role: 'tunnel',
    change: () => ({ spec: { template: { spec: { nodeSelector: { disk: 'fast' } } } } }),
    kept: ({ spec }) => JSON.stringify(spec).includes('"disk":"fast"'),
  },
  {
    what: 'another deadline of the rollout',
    role: 'tunnel',
    change: () => ({ spec: { progressDeadlineSeconds: 900 } }),
    kept: ({ spec }) => spec?.['progressDeadlineSeconds'] === 900,
  },
  {
    what: 'a further port of the balanced Service',
    role: 'balanced',
    change: ({ spec = {} }) => ({
      spec: { ports: [...(spec['ports'] as readonly object[]), { name: 'theirs', port: 9999, protocol: 'TCP' }] },
    }),
    kept: ({ spec }) => JSON.stringify(spec?.['ports']).includes('"theirs"'),
  },
];
