import type { Mutant } from '../mutant.ts';

const authority = 'resources/distributed-service/certificates/ca-secret.ts';
const turn = 'resources/distributed-service/certificates/authority-turn.ts';
const rotation = 'resources/distributed-service/certificates/rotation.ts';

/** Two authorities of one profile: what is trusted, who signs, and what goes when. */
export const rotationMutants: readonly Mutant[] = [
  {
    id: 'successor-signs-at-once',
    says: 'A successor signs as soon as it is stored, when no server trusts it yet',
    after: 'a rotation without an overlap',
    edits: [
      {
        file: turn,
        from: 'madeAt(next, lifetimes) + lifetimes.overlap',
        to: 'madeAt(next, lifetimes) - lifetimes.skew',
      },
    ],
    near: ['authority-wanted', 'authority-due'],
  },
  {
    id: 'authority-goes-while-its-leaves-live',
    says: 'An authority leaves the bundle when its successor begins to sign',
    after: 'a rotation that forgets what was signed before',
    edits: [{ file: turn, from: 'Math.min(handover + lifetimes.leaf, ends)', to: 'Math.min(handover, ends)' }],
    near: ['authority-of-two-handed-over'],
  },
  {
    id: 'successor-not-in-the-bundle',
    says: 'A successor is stored, and not among what servers are to trust',
    after: 'a bundle that is written later',
    edits: [
      {
        file: authority,
        from: 'const trusted = [authority, ...(next === undefined ? [] : [next])];',
        to: 'const trusted = [authority];',
      },
    ],
    near: ['authority-wanted'],
  },
  {
    id: 'successor-again-and-again',
    says: 'Each event makes another successor in the place of the one that is stored',
    after: 'X11, cert-manager: a re-issue loop',
    edits: [
      { file: turn, from: '  if (next === undefined) {', to: '  if (next === undefined || wanted !== undefined) {' },
    ],
    near: ['authority-wanted', 'authority-of-two-wanted'],
  },
  {
    id: 'successor-never-takes-its-place',
    says: 'The elder stays stored for ever beside its successor',
    after: 'a rotation that stops half-way',
    edits: [
      {
        file: rotation,
        from: 'return next === undefined ? undefined : { authority: next };',
        to: 'return next === undefined ? undefined : { authority, next };',
      },
    ],
    near: ['authority-rotated', 'authority-of-two-rotated'],
  },
  {
    id: 'broken-successor-is-dropped',
    says: 'A successor that somebody broke is silently taken away',
    after: 'what a person broke, a person mends',
    edits: [
      { file: rotation, from: '|| isNextBroken) return undefined;', to: ') return undefined;' },
      {
        file: 'resources/distributed-service/certificates/certificate-finding.ts',
        from: '    return { ...found, ...bad(',
        to: '    return { ...found, rotation: rotationWrites(stored, question, given), ...bad(',
      },
    ],
    near: ['authority-with-broken-successor'],
  },
];
