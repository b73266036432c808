import type { DistributedService } from '../../domain/distributed-service.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import { labels, manager } from '../../domain/names.ts';
import type { Observed } from '../../domain/plan.ts';
import type { AuthorityRequest, CertificateFacts, KeyPair, LeafRequest } from '../../domain/ports.ts';
import { secondsOf, timeOf } from '../../domain/time.ts';
import { belongsTo } from '../owned.ts';
import type { CertificateQuestion } from '../resource.ts';
import { inputs } from './inputs.ts';
import { keyPairOf } from './key-pair.ts';
import { findProfile } from './profile.ts';
import { problemOf } from './spec-problem.ts';

/**
 * What the certificates of a service hang on. A leaf lives a week, because frps knows no revocation list: what was
 * stolen is worth nothing soon after. It is renewed after two thirds of its life. One that begins later than clocks may
 * differ was made while a clock was wrong.
 */
const lifetimes = { authorityDays: 3650, leafDays: 7, renewAfter: 2 / 3, skewMinutes: 10, aheadMinutes: 60 } as const;

/** Which certificates must be looked at before anything can be decided; undefined where the service has none. */
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
  return { about: 'generated', authority: keyPairOf(authority), leaf: keyPairOf(secret), names, profile };
}

/** The Secret with the authority in the namespace of the profile. */
export function authorityOf(observed: Observed, namespace: string): KubeObject | undefined {
  return observed.inputs.get(inputs.authorities)?.find(({ metadata }) => metadata.namespace === namespace);
}

/** Whether Knudge made it: what merely has the name never signs anything. */
export function isAuthority({ metadata }: KubeObject): boolean {
  return metadata.labels?.[labels.authority] !== undefined && metadata.labels[labels.managedBy] === manager;
}

/** Whether a leaf must be made: there is none that can be used, or two thirds of its life are over. */
export function isLeafDue(facts: CertificateFacts | undefined, names: readonly string[], now: string): boolean {
  if (facts === undefined || !isUsable(facts, names, now)) return true;
  return now >= renewalOf(facts);
}

/** Whether a leaf that its authority signed is for these names, and its time has come and is not over. */
export function isUsable(facts: CertificateFacts, names: readonly string[], now: string): boolean {
  const latest = timeOf(secondsOf(now) + lifetimes.aheadMinutes * 60);
  return facts.dnsNames.join() === names.join() && facts.notBefore <= latest && now < facts.notAfter;
}

/** When a certificate is renewed: RFC 3339, whole seconds. */
function renewalOf({ notBefore, notAfter }: CertificateFacts): string {
  const [from, to] = [secondsOf(notBefore), secondsOf(notAfter)];
  return timeOf(from + (to - from) * lifetimes.renewAfter);
}

export function authorityRequest(profile: string, now: string): AuthorityRequest {
  return { commonName: `Knudge clients of ${profile}`.slice(0, 64), ...span(now, lifetimes.authorityDays) };
}

export function leafRequest(
  names: readonly string[],
  { authority, until }: { readonly authority: KeyPair; readonly until: string },
  now: string,
): LeafRequest {
  const commonName = (names[0] ?? '').split('.')[0] ?? '';
  return { commonName, dnsNames: names, usage: 'client', authority, ...leafSpan(now, until) };
}

/** The life of a leaf that is made now: it never outlives the authority that signs it, which ends at `until`. */
export function leafSpan(now: string, until: string): { readonly notBefore: string; readonly notAfter: string } {
  const { notBefore, notAfter } = span(now, lifetimes.leafDays);
  return { notBefore, notAfter: notAfter < until ? notAfter : until };
}

/** Valid from a little before now, so that a clock that is slow elsewhere does not refuse it. */
function span(now: string, days: number): { readonly notBefore: string; readonly notAfter: string } {
  const start = secondsOf(now) - lifetimes.skewMinutes * 60;
  return { notBefore: timeOf(start), notAfter: timeOf(start + days * 86_400) };
}
