import { type KubeObject, refOf } from '../domain/kube-object.ts';

/**
 * The kinds in the order of this round, which begins with any of them: if a round always dies within one kind, the
 * others have their turn in another round.
 */
export function kindsIn<Kind>(round: string, kinds: readonly Kind[]): readonly Kind[] {
  const first = hash(round) % Math.max(1, kinds.length);
  return [...kinds.slice(first), ...kinds.slice(0, first)];
}

/** Where a round is within a page; the page is read anew by each invocation. */
interface Place {
  readonly round: string;
  /** `namespace/name` of the last object of the page when it was first read. */
  readonly through: string;
  /** `namespace/name` of the object that had its turn last; empty: none had. */
  readonly after: string;
}

/**
 * The objects of a page whose turn is still to come, in the order of this round: each round shuffles them anew. Where
 * each stands hangs on nothing but the place and its own name, so that one which has gone meanwhile moves no other; what
 * has moved up into the page since then comes last, for a turn of its own among the others might be past.
 */
export function turnsAfter(place: Place, objects: readonly KubeObject[]): readonly KubeObject[] {
  const past = place.after === '' ? '' : turnOf(place.after, place);
  return objects
    .map((object) => ({ object, turn: turnOf(keyOf(object), place) }))
    .filter(({ turn }) => turn > past)
    .sort((one, other) => (one.turn < other.turn ? -1 : 1))
    .map(({ object }) => object);
}

/** `namespace/name`: a list of the API server is sorted by it. */
export function keyOf(object: KubeObject): string {
  const { namespace, name } = refOf(object);
  return `${namespace}/${name}`;
}

function turnOf(key: string, { round, through }: Place): string {
  if (key > through) return `1/${key}`;
  return `0/${hash(`${round}/${key}`).toString(16).padStart(8, '0')}/${key}`;
}

/** A number for a text: FNV-1a, 32 bits, its bits mixed at the end as MurmurHash3 does: names that differ in one digit land far apart. */
export function hash(text: string): number {
  let bits = 0x811c9dc5;
  for (const character of text) bits = Math.imul(bits ^ (character.codePointAt(0) ?? 0), 0x01000193);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
