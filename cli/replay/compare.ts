import type { Outgoing } from '../../packages/controller/domain/change.ts';
import { type Difference, differencesOf } from '../../packages/event-log/replay/differences.ts';
import { type AskWith, askPlan } from './ask.ts';

/** The result of asking two versions. */
export type Compared =
  | { readonly kind: 'equal' }
  | { readonly kind: 'different'; readonly differences: readonly Difference[] }
  | { readonly kind: 'failed'; readonly why: string };

interface Sides extends AskWith {
  /** The address of this version. */
  readonly here: string;
  /** The address of the other version. */
  readonly there: string;
}

/**
 * Asks both versions at once what they would write, and once more if they differ: a change of the cluster between two reads
 * is not a difference of versions. Throws `unavailable` if one of them does not answer.
 */
export async function comparePlans(event: Outgoing, sides: Sides): Promise<Compared> {
  const first = await compareOnce(event, sides);
  if (first.kind !== 'different') return first;
  const second = await compareOnce(event, sides);
  if (second.kind !== 'different') return second;
  const before = new Set(first.differences.map(placeOf));
  const differences = second.differences.filter((one) => before.has(placeOf(one)));
  return differences.length === 0 ? { kind: 'equal' } : { kind: 'different', differences };
}

async function compareOnce(event: Outgoing, { here, there, ...how }: Sides): Promise<Compared> {
  const [one, other] = await Promise.all([askPlan(here, event, how), askPlan(there, event, how)]);
  if (one.kind === 'failed') return { kind: 'failed', why: `this version: ${one.why}` };
  if (other.kind === 'failed') return { kind: 'failed', why: `the other version: ${other.why}` };
  const differences = differencesOf(one.plans, other.plans);
  return differences.length === 0 ? { kind: 'equal' } : { kind: 'different', differences };
}

function placeOf({ of, field }: Difference): string {
  return JSON.stringify([of, field]);
}

/** Characters of a value that are printed. */
const longest = 120;

/** `apply ConfigMap shop/settings /data/a: "1" here, "2" there`. */
export function differenceText({ of, field, here, there }: Difference): string {
  const at = field === '' ? of : `${of} ${field}`;
  if (there === undefined) return `${at}: only here${field === '' ? '' : `, ${shown(here)}`}`;
  if (here === undefined) return `${at}: only there${field === '' ? '' : `, ${shown(there)}`}`;
  return `${at}: ${shown(here)} here, ${shown(there)} there`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
