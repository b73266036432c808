import { isTime, secondsOf, timeOf } from '../../../packages/controller/domain/time.ts';
import type { CertificateFacts, KeyPair } from '../../../packages/issuing/types.ts';
import type { Lifetimes } from './lifetimes.ts';
import type { AuthorityTurn, Certificates, GeneratedQuestion } from './question.ts';
import { renewalOf } from './renewal.ts';

interface At {
  readonly now: string;
  readonly lifetimes: Lifetimes;
}

interface Facts {
  readonly authority: CertificateFacts | undefined;
  /** Undefined if there is no successor, or it is broken. */
  readonly next: CertificateFacts | undefined;
}

/** The findings about the stored authorities, and the one that signs. */
export interface Signing extends Pick<Certificates, 'signerFacts' | 'turn' | 'isNextBroken'> {
  /** The authority that signs a leaf, and until when; absent if neither can sign. */
  readonly signer?: { readonly authority: KeyPair; readonly until: string };
}

/** Decides which of the stored authorities signs. There is no `signer` if the older one is invalid or the one whose turn it is has expired. */
export function signingOf({ authority, next, wanted, isFixed }: GeneratedQuestion, facts: Facts, at: At): Signing {
  if (authority === undefined || facts.authority === undefined) return {};
  const following = facts.next !== undefined && facts.next.notAfter > at.now ? facts.next : undefined;
  const found = turnOf({ authority: facts.authority, next: following, wanted }, at);
  const isNextBroken = next !== undefined && following === undefined;
  // No successor is made for an immutable Secret, or beside a broken one that a person has to mend first.
  const turn: AuthorityTurn = found.kind === 'due' && (isFixed === true || isNextBroken) ? { kind: 'alone' } : found;
  const isHandedOver = turn.kind === 'handing-over' || turn.kind === 'over';
  const [pair, signerFacts] = isHandedOver && next && following ? [next, following] : [authority, facts.authority];
  const until = signerFacts.notAfter;
  return {
    turn,
    signerFacts,
    ...(isNextBroken && { isNextBroken }),
    ...(until > at.now && { signer: { authority: pair, until } }),
  };
}

/** The turn depends on these and on the time, so every instance finds the same turn, also after a crash. */
interface TurnFacts {
  readonly authority: CertificateFacts;
  readonly next: CertificateFacts | undefined;
  readonly wanted: string | undefined;
}

function turnOf({ authority, next, wanted }: TurnFacts, { now, lifetimes }: At): AuthorityTurn {
  if (next === undefined) {
    const isWanted = isTime(wanted) && isBetween(secondsOf(wanted), madeAt(authority, lifetimes), secondsOf(now));
    return { kind: authority.notAfter > now && (now >= renewalOf(authority) || isWanted) ? 'due' : 'alone' };
  }
  const ends = secondsOf(authority.notAfter);
  const handover = Math.min(madeAt(next, lifetimes) + lifetimes.overlap, ends);
  // No leaf outlives the authority that signed it, and the older authority has signed no leaf after the handover.
  const end = Math.min(handover + lifetimes.leaf, ends);
  const time = secondsOf(now);
  if (time < handover) return { kind: 'overlap', until: timeOf(handover) };
  return time < end ? { kind: 'handing-over', until: timeOf(end) } : { kind: 'over' };
}

/** When an authority was made, in seconds since 1970: its `notBefore` lies `skew` seconds earlier. */
function madeAt({ notBefore }: CertificateFacts, { skew }: Lifetimes): number {
  return secondsOf(notBefore) + skew;
}

function isBetween(time: number, after: number, until: number): boolean {
  return after < time && time <= until;
}
