import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { secondsOf, timeOf } from '../../../../packages/controller/domain/time.ts';
import type { CertificateFacts } from '../../../../packages/issuing/types.ts';
import { signingOf } from '../../certificates/authority-turn.ts';
import { lifetimes } from '../../certificates/lifetimes.ts';
import type { AuthorityTurn, GeneratedQuestion } from '../../certificates/question.ts';

const day = 86_400;
const after = (time: string, seconds: number): string => timeOf(secondsOf(time) + seconds);

/** The facts of an authority that was made at this time. */
function madeAt(time: string, life = lifetimes.authority): CertificateFacts {
  const notBefore = after(time, -lifetimes.skew);
  return { notBefore, notAfter: after(notBefore, life), dnsNames: [] };
}

const made = '2020-01-01T00:00:00Z';
const elder = madeAt(made);
const due = after(elder.notBefore, (lifetimes.authority * 2) / 3);
const wish = '2026-05-01T12:00:00Z';
const nextMade = '2026-05-01T12:30:00Z';
const next = madeAt(nextMade);
const handover = after(nextMade, 30 * day);
const end = after(handover, 7 * day);
const last = madeAt(made, secondsOf(nextMade) + 10 * day - secondsOf(made) + lifetimes.skew);

interface Row {
  readonly now: string;
  readonly wanted?: string;
  readonly isFixed?: true;
  readonly authority?: CertificateFacts | undefined;
  /** `broken`: what is stored is not a certificate. */
  readonly next?: CertificateFacts | 'broken';
  readonly is: AuthorityTurn | undefined;
  /** The authority that signs a leaf. */
  readonly signs: 'elder' | 'next' | 'nobody';
}

const overlap = { kind: 'overlap', until: handover } as const;
const handing = { kind: 'handing-over', until: end } as const;
const alone = { kind: 'alone' } as const;
const rows: Readonly<Record<string, Row>> = {
  'a second before two thirds of its life it is alone': { now: after(due, -1), is: alone, signs: 'elder' },
  'after two thirds of its life a successor is due': { now: due, is: { kind: 'due' }, signs: 'elder' },
  'nobody may change it: it stays alone': { now: due, isFixed: true, is: alone, signs: 'elder' },
  'it has ended: nothing is made in its place': { now: elder.notAfter, is: alone, signs: 'nobody' },
  'it is broken: nothing is made in its place': { now: due, authority: undefined, is: undefined, signs: 'nobody' },
  'a person wants one from now on': { now: wish, wanted: wish, is: { kind: 'due' }, signs: 'elder' },
  'a person wants one later': { now: after(wish, -1), wanted: wish, is: alone, signs: 'elder' },
  'a person wanted one before this one was made': { now: wish, wanted: made, is: alone, signs: 'elder' },
  'a person wants one, and writes no time': { now: wish, wanted: 'now', is: alone, signs: 'elder' },
  'its successor has just been made': { now: nextMade, next, wanted: wish, is: overlap, signs: 'elder' },
  'a second before the handover': { now: after(handover, -1), next, wanted: wish, is: overlap, signs: 'elder' },
  'the handover': { now: handover, next, wanted: wish, is: handing, signs: 'next' },
  'a second before the last leaf of the elder may have ended': {
    now: after(end, -1),
    next,
    is: handing,
    signs: 'next',
  },
  'the last leaf of the elder has ended': { now: end, next, wanted: wish, is: { kind: 'over' }, signs: 'next' },
  'whoever comes years later finds the same': { now: due, next, is: { kind: 'over' }, signs: 'next' },
  'an elder that ends within the overlap hands over at its end': {
    now: after(last.notAfter, -1),
    authority: last,
    next,
    is: { kind: 'overlap', until: last.notAfter },
    signs: 'elder',
  },
  'an elder that ended within the overlap is over': {
    now: last.notAfter,
    authority: last,
    next,
    is: { kind: 'over' },
    signs: 'next',
  },
  'what is stored as its successor is none': { now: due, next: 'broken', is: alone, signs: 'elder' },
  'what is stored as its successor has ended': {
    now: wish,
    next: madeAt(made, day),
    is: alone,
    signs: 'elder',
  },
};

describe('an authority and its successor', () => {
  for (const [sentence, row] of Object.entries(rows)) {
    it(`${sentence}: ${row.is?.kind ?? 'nothing'}, ${row.signs} signs`, () => {
      const question: GeneratedQuestion = {
        about: 'generated',
        names: [],
        profile: 'default',
        leaf: undefined,
        authority: { certificate: 'elder', key: 'elder' },
        ...(row.next !== undefined && { next: { certificate: 'next', key: 'next' } }),
        ...(row.wanted !== undefined && { wanted: row.wanted }),
        ...(row.isFixed && { isFixed: true }),
      };
      const facts = {
        authority: 'authority' in row ? row.authority : elder,
        next: row.next === 'broken' ? undefined : row.next,
      };
      const { turn, signer, isNextBroken } = signingOf(question, facts, { now: row.now, lifetimes });
      assert.deepEqual(turn, row.is);
      assert.equal(signer?.authority.certificate ?? 'nobody', row.signs);
      assert.equal(isNextBroken === true, row.next !== undefined && turn?.kind === 'alone');
    });
  }
});

test('no leaf that the elder signed outlives the day on which it leaves the bundle', () => {
  // The last moment at which it signs, by a clock that is at most ten minutes late.
  const signed = after(handover, lifetimes.skew - 1);
  assert.ok(after(signed, lifetimes.leaf - lifetimes.skew) < end);
});
