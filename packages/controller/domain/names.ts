/** The longest name that every kind of child takes: a DNS label (RFC 1123), which Services insist on. */
const longest = 63;

/** Labels that Knudge puts on what it makes. */
export const labels = {
  /** The name of the controller. */
  managedBy: 'app.kubernetes.io/managed-by',
  /** The uid of the owner: part of every selector, so that no name that a tenant picks selects what is not theirs. */
  ownerUid: 'knudge.dev/owner-uid',
} as const;

export const annotations = {
  specHash: 'knudge.dev/spec-hash',
  /** On what had to be made or written again: which try it was in a row, and when it was made (`4 2026-01-01T00:00:00Z`). */
  tries: 'knudge.dev/tries',
  /** On the Lease of the resync: the event that began the round of its `renewTime`. */
  round: 'knudge.dev/round',
  /** On the same Lease: the round that is under way, as JSON (packages/controller/domain/ports.ts, `Round`). */
  underWay: 'knudge.dev/round-under-way',
} as const;

export const manager = 'knudge';

/**
 * The Lease in the controller's namespace whose `renewTime` is when the last resync began that asked after every parent. Its
 * `acquireTime` is when the last began that a restart of a source asked for, by the event `holderIdentity`.
 */
export const resyncLease = 'knudge-resync';

/** A name past 63 characters keeps its beginning and its role; a hash of the whole stands between them. */
export function fitted(name: string, role: string): string {
  if (name.length <= longest) return name;
  const tail = role === '' ? `-${shortHash(name)}` : `-${shortHash(name)}-${role}`;
  return `${name.slice(0, longest - tail.length).replace(/[-.]+$/, '')}${tail}`;
}

/** FNV-1a, 64 bits, in base 36: for names and labels, where nothing depends on its being hard to invert, or to hit. */
export function shortHash(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const character of text) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n);
  }
  return hash.toString(36);
}
