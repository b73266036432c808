import { KnudgeError } from '../domain/errors.ts';
import type { KubeObject } from '../domain/kube-object.ts';
import type { AskingWith, Inputs, NamedQuery, Resource } from './resource.ts';

/** More than any resource has. */
const mostRounds = 5;

/**
 * The reads that a decision about an owner rests on, in rounds: each hands out queries that can be read side by side, and takes
 * what they found, in their order. Gives all that was found, by name, with what had been found before.
 */
export function* inputRounds(
  resource: Pick<Resource, 'inputs'>,
  owner: KubeObject,
  { before = new Map(), ...asking }: AskingWith & { readonly before?: Inputs },
): Generator<readonly NamedQuery[], Inputs, readonly (readonly KubeObject[])[]> {
  const found = new Map(before);
  const asked = new Set<string>();
  for (let round = 1; ; round += 1) {
    const fresh = resource.inputs(owner, { ...asking, found }).filter((query) => !asked.has(keyOf(query)));
    if (fresh.length === 0) return found;
    if (round > mostRounds) throw new KnudgeError('internal', `${owner.kind} asks for inputs without an end`);
    const answers = yield fresh;
    for (const [index, query] of fresh.entries()) {
      asked.add(keyOf(query));
      found.set(query.name, [...(found.get(query.name) ?? []), ...(answers[index] ?? [])]);
    }
  }
}

function keyOf({ name, query }: NamedQuery): string {
  return JSON.stringify([name, query]);
}
