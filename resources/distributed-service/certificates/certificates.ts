import { belongsTo } from '../../../packages/controller/decide/owned.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { manager } from '../../../packages/controller/domain/names.ts';
import type { Observed } from '../../../packages/controller/domain/plan.ts';
import { secondsOf, timeOf } from '../../../packages/controller/domain/time.ts';
import type { AuthorityRequest, CertificateFacts, KeyPair, LeafRequest } from '../../../packages/issuing/types.ts';
import { findProfile } from '../frp/profile.ts';
import { inputs } from '../inputs.ts';
import { annotations, labels } from '../names.ts';
import { problemOf } from '../spec/problem.ts';
import type { DistributedService } from '../types.ts';
import { isFixed, nextOf } from './ca-secret.ts';
import { keyPairOf } from './key-pair.ts';
import type { Lifetimes } from './lifetimes.ts';
import type { CertificateQuestion, GeneratedQuestion } from './question.ts';
import { renewalOf } from './renewal.ts';

/** In seconds. A certificate that begins further in the future was made while a clock was wrong. */
const mostAhead = 3600;

/** The certificates that `certify` must inspect before the decision; undefined if the service needs none, or what it needs is not there. */
export function questionOf(observed: Observed<DistributedService>): CertificateQuestion | undefined {
  const { owner, children } = observed;
  if (owner.metadata.deletionTimestamp !== undefined || problemOf(owner.spec) !== undefined) return undefined;
  const { enabled, autoGenerate } = owner.spec.security.mtls;
  if (!enabled) return undefined;
  if (!autoGenerate) {
    const pair = keyPairOf(observed.inputs.get(inputs.suppliedCertificate)?.[0]);
    return pair === undefined ? undefined : { about: 'supplied', pair };
  }
  const finding = findProfile(observed);
  const secret = children.get('tls');
  if (finding.is !== 'usable' || (secret !== undefined && belongsTo(secret, owner) !== 'ours')) return undefined;
  const authority = authorityOf(observed, finding.configMap.metadata.namespace ?? '');
  if (authority !== undefined && (!isAuthority(authority) || keyPairOf(authority) === undefined)) return undefined;
  const names = [`${owner.metadata.name}.${owner.metadata.namespace ?? ''}.distributedservices.frp.io`];
  const profile = owner.spec.serverProfile;
  const leaf = keyPairOf(secret);
  const question = { about: 'generated', authority: keyPairOf(authority), leaf, names, profile } as const;
  return authority === undefined ? question : { ...question, ...rotationOf(authority) };
}

/** The stored successor of an authority, and the time since when a person wants a new one. */
function rotationOf(authority: KubeObject): Pick<GeneratedQuestion, 'next' | 'wanted' | 'isFixed'> {
  const next = nextOf(authority);
  const wanted = authority.metadata.annotations?.[annotations.rotate];
  return {
    ...(next && { next }),
    ...(wanted !== undefined && { wanted }),
    ...(isFixed(authority) && { isFixed: true }),
  };
}

/** The Secret with the authority in the namespace of the profile. */
export function authorityOf(observed: Observed, namespace: string): KubeObject | undefined {
  return observed.inputs.get(inputs.authorities)?.find(({ metadata }) => metadata.namespace === namespace);
}

/** Whether Knudge made this Secret. A Secret that only has the name of the authority never signs anything. */
export function isAuthority({ metadata }: KubeObject): boolean {
  return metadata.labels?.[labels.authority] !== undefined && metadata.labels[labels.managedBy] === manager;
}

/**
 * Whether a leaf must be made: the service has no usable one, or two thirds of its life are over. A leaf that lives until its authority
 * expires, at `until`, is kept: a new one could not live longer.
 */
export function isLeafDue(
  facts: CertificateFacts | undefined,
  names: readonly string[],
  { now, until }: { readonly now: string; readonly until: string },
): boolean {
  if (facts === undefined || !isUsable(facts, names, now)) return true;
  return facts.notAfter < until && now >= renewalOf(facts);
}

/** Whether a leaf is for these names and valid now. Its `notBefore` may lie ahead as far as clocks may differ. */
export function isUsable(facts: CertificateFacts, names: readonly string[], now: string): boolean {
  const latest = timeOf(secondsOf(now) + mostAhead);
  return facts.dnsNames.join() === names.join() && facts.notBefore <= latest && now < facts.notAfter;
}

/** The time by the clock of the API server, and the lifetimes of certificates that are made now. */
export interface At {
  readonly now: string;
  readonly lifetimes: Lifetimes;
}

export function authorityRequest(profile: string, at: At): AuthorityRequest {
  return { commonName: `Knudge clients of ${profile}`.slice(0, 64), ...span(at, 'authority') };
}

export function leafRequest(
  names: readonly string[],
  { authority, until }: { readonly authority: KeyPair; readonly until: string },
  at: At,
): LeafRequest {
  const commonName = (names[0] ?? '').split('.')[0] ?? '';
  return { commonName, dnsNames: names, usage: 'client', authority, ...leafSpan(at, until) };
}

/** The life of a leaf that is made now: it never outlives the authority that signs it, which ends at `until`. */
export function leafSpan(at: At, until: string): { readonly notBefore: string; readonly notAfter: string } {
  const { notBefore, notAfter } = span(at, 'leaf');
  return { notBefore, notAfter: notAfter < until ? notAfter : until };
}

function span(
  { now, lifetimes }: At,
  what: 'authority' | 'leaf',
): { readonly notBefore: string; readonly notAfter: string } {
  const start = secondsOf(now) - lifetimes.skew;
  return { notBefore: timeOf(start), notAfter: timeOf(start + lifetimes[what]) };
}
