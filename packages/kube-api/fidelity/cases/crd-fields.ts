import { type Case, mergePatch, post } from '../case.ts';
import { crd } from './bodies.ts';
import { definition, definitions, served } from './served.ts';

type Fields = Readonly<Record<string, unknown>>;

const string = { type: 'string' };
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
const ofLetters = Object.fromEntries(letters.map((letter) => [letter, string]));
const properties = {
  ...ofLetters,
  size: { type: 'integer' },
  on: { type: 'boolean' },
  price: { type: 'number' },
  port: { 'x-kubernetes-int-or-string': true },
  any: { 'x-kubernetes-preserve-unknown-fields': true },
  tags: { type: 'array', items: string },
  parts: { type: 'array', items: { type: 'object', properties: { name: string } } },
  place: { type: 'object', properties: { town: { type: 'string', enum: ['Ulm', 'Bonn'] } } },
  since: { type: 'string', format: 'date-time' },
  labels: { type: 'object', additionalProperties: string },
  open: free,
};

/** A definition whose only version has these selectable fields. */
const withPaths = (paths: readonly string[], version: Fields = {}): Fields =>
  crd({ properties }, { selectableFields: paths.map((jsonPath) => ({ jsonPath })), ...version });
const tried = (name: string, ...bodies: readonly Fields[]): Case => ({
  name,
  steps: bodies.map((body) => post(`${definitions}?dryRun=All`, body)),
});
const each = (name: string, paths: readonly string[]): Case => tried(name, ...paths.map((path) => withPaths([path])));

const metadata = (metadataSchema: Fields) => ({
  schema: {
    openAPIV3Schema: { type: 'object', properties: { metadata: metadataSchema, spec: { type: 'object', properties } } },
  },
});

/** A definition of two versions: of each the type of its field `a`, and its selectable fields. */
const two = (...versions: readonly (readonly [type: string, paths: readonly string[]])[]): Fields =>
  crd(
    {},
    {},
    {
      versions: versions.map(([type, paths], index) => ({
        name: `v${index + 1}`,
        served: true,
        storage: index === 0,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { a: { type }, b: string } } },
          },
        },
        selectableFields: paths.map((jsonPath) => ({ jsonPath })),
      })),
    },
  );

/** CustomResourceDefinitions that say by which fields their objects can be selected. */
export const crdFieldsCases: readonly Case[] = [
  each('a field of a text, a number without fraction or a yes or no can be selectable', [
    '.spec.a',
    '.spec.size',
    '.spec.on',
    '.spec.place.town',
    '.spec.since',
    '.spec.labels.color',
  ]),
  each('a selectable field of another type is refused', [
    '.spec.price',
    '.spec.port',
    '.spec.any',
    '.spec.place',
    '.spec.tags',
    '.spec',
    '.spec.labels',
  ]),
  each('a selectable field that the schema does not have is refused', [
    '.spec.none',
    '.spec.place.none',
    '.spec.a.none',
    '.spec.open.color',
    '.status.phase',
    '.kind',
    '.spec.parts.name',
  ]),
  each('a selectable field is named by dots alone', [
    'spec.a',
    'a',
    '.',
    '..spec',
    '.spec.',
    '.spec..a',
    '.spec[a]',
    ".spec['a']",
    '.spec.tags[0]',
    '.spec.tags[*]',
    '.[spec]',
    '.spec. a',
    '{.spec.a}',
    "'.spec.a'",
    '.spec.<a>',
  ]),
  tried(
    'a selectable field needs a path',
    crd({ properties }, { selectableFields: [{}] }),
    withPaths(['']),
    withPaths(['.spec.a', '', '.spec.none']),
    crd({ properties }, { selectableFields: [{ jsonPath: 1 }] }),
    crd({ properties }, { selectableFields: ['.spec.a'] }),
    crd({ properties }, { selectableFields: [] }),
    crd({ properties }, { selectableFields: [{ jsonPath: '.spec.a', color: 'red' }] }),
  ),
  tried(
    'a selectable field of metadata is refused',
    withPaths(['.metadata.name']),
    withPaths(['.metadata.name'], metadata({ type: 'object', properties: { name: string } })),
    withPaths(['.metadata'], metadata({ type: 'object' })),
  ),
  tried(
    'a selectable field that is named twice is refused',
    withPaths(['.spec.a', '.spec.a']),
    withPaths(['.spec.a', '.spec.b', '.spec.a', '.spec.a']),
    withPaths(['.spec.price', '.spec.price']),
    withPaths(['.spec.none', '.spec.none']),
  ),
  tried(
    'there may be eight selectable fields, each counted once and those without a place in the schema not at all',
    withPaths(letters.slice(0, 8).map((letter) => `.spec.${letter}`)),
    withPaths(letters.map((letter) => `.spec.${letter}`)),
    withPaths([...letters.slice(0, 8), 'a'].map((letter) => `.spec.${letter}`)),
    withPaths([...letters.slice(0, 8), 'none'].map((letter) => `.spec.${letter}`)),
    withPaths([...letters.slice(0, 8), 'price'].map((letter) => `.spec.${letter}`)),
  ),
  tried(
    'versions with one schema need the same selectable fields, and versions with different schemas different ones',
    two(['string', ['.spec.a']], ['string', ['.spec.a']]),
    two(['string', ['.spec.a']], ['string', ['.spec.b']]),
    two(['string', ['.spec.a']], ['string', []]),
    two(['string', ['.spec.a']], ['integer', ['.spec.a']]),
    two(['string', ['.spec.a']], ['integer', ['.spec.b']]),
    two(['string', ['.spec.a']], ['integer', []]),
  ),
  tried(
    'where the selectable fields of a version are wrong the version is named, and where those of all are nobody is',
    two(['string', ['.spec.none']], ['string', ['.spec.none']]),
    two(['string', ['.spec.a']], ['object', ['.spec.a', '.spec.b']]),
    two(['string', ['.spec.none']], ['integer', ['.spec.a', '.spec.b', '.spec.b']]),
  ),
  tried(
    'selectable fields of a definition without a schema are refused',
    crd({}, { schema: undefined, selectableFields: [{ jsonPath: '.spec.a' }] }),
  ),
  {
    name: 'selectable fields may change, but for the worse',
    given: served(withPaths(['.spec.a'])),
    steps: [
      mergePatch(definition, withPaths(['.spec.b', '.spec.size'])),
      mergePatch(definition, withPaths(letters.map((letter) => `.spec.${letter}`))),
      mergePatch(definition, withPaths(['.spec.price'])),
      mergePatch(definition, withPaths([], { selectableFields: null })),
    ].map((step) => ({ ...step, view: specOrError })),
  },
];

function specOrError(body: unknown): unknown {
  const { kind, spec } = body as { readonly kind: string; readonly spec?: unknown };
  return kind === 'Status' ? body : spec;
}
