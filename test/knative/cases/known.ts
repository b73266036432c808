import { at } from '../../../packages/kube-api/fidelity/case.ts';
import type { Observation } from './observe.ts';
import type { Row } from './table.ts';

/** A case in which the mesh is not as real Knative, and is to stay so. */
export type Difference = { readonly because: string } & (
  | { readonly kind: 'refused'; readonly says: string }
  /** Where what it shows is another, and what it is there; if absent, nothing. */
  | { readonly kind: 'shows'; readonly instead: Readonly<Record<string, unknown>> }
);

/** By area and name of the case. What the mesh does is compared with this, so that a row that is no longer true is found. */
const differences: Readonly<Record<string, Difference>> = {
  'filters: a Trigger with cesql': {
    kind: 'refused',
    because: 'CESQL is a language of its own, and no Trigger of Knudge speaks it.',
    says: 'cesql: is not run locally: say it with exact, prefix, suffix, all, any and not',
  },
  'ingress: an event of the older specification 0.3': {
    kind: 'shows',
    because: 'No function of Knudge reads such an event; the mesh says so at its ingress.',
    instead: { 'ingress.0': 400, 'got.fn': undefined },
  },
  'refused: an event whose schema is empty': {
    kind: 'shows',
    because:
      'The envelope is checked by the schema of CloudEvents, which wants an address there; nobody sends an empty one.',
    instead: { 'ingress.0': 400, 'got.fn': undefined },
  },
  'replies: a structured reply comes in binary mode': {
    kind: 'shows',
    because:
      "Go's server guesses the type of data that has none, and says that JSON is text; what has no type here has none after.",
    instead: { 'got.next.seen.0.headers.content-type': undefined },
  },
  'status: 307 to another address': {
    kind: 'shows',
    because:
      'The filter of the real Broker follows such an answer. No function of Knudge gives it, and whoever writes one should see it.',
    instead: {
      'got.other': undefined,
      'got.dead.seen.0.headers.ce-knativeerrorcode': '307',
    },
  },
};

export function differenceOf({ area, one }: Row): Difference | undefined {
  return differences[`${area}: ${one.name}`];
}

/** Rows about cases that are not there. */
export function unknownDifferences(rows: readonly Row[]): readonly string[] {
  const names = new Set(rows.map(({ area, one }) => `${area}: ${one.name}`));
  return Object.keys(differences).filter((name) => !names.has(name));
}

/** What the mesh shows although its row says something else; none where the row is true. */
export function untrue(instead: Readonly<Record<string, unknown>>, shown: Observation): readonly string[] {
  return Object.entries(instead)
    .filter(([path, value]) => JSON.stringify(at(shown, path)) !== JSON.stringify(value))
    .map(
      ([path, value]) => `${path} is ${JSON.stringify(at(shown, path))}, not ${JSON.stringify(value)} as known.ts says`,
    );
}
