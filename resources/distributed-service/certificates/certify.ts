import type { Issuer, KeyPair } from '../../../packages/issuing/types.ts';
import { signingOf } from './authority-turn.ts';
import { type At, authorityRequest, isLeafDue, leafRequest } from './certificates.ts';
import type { CertificateQuestion, Certificates } from './question.ts';

/**
 * Inspects the certificates that the decision depends on, and makes those that are due. A new authority signs nothing in the same pass:
 * it must be stored and read again first, because another instance may have stored its own.
 */
export async function certify(
  question: CertificateQuestion | undefined,
  at: At & { readonly issuer: Issuer },
): Promise<Certificates> {
  const { issuer, now } = at;
  if (question === undefined) return {};
  if (question.about === 'supplied') return given('suppliedFacts', await issuer.inspect(question.pair));
  const { authority, next, names, profile } = question;
  if (authority === undefined) return { authority: await issuer.authority(authorityRequest(profile, at)) };
  // An authority has signed itself. A leaf has a key too, but no peer accepts what a leaf has signed.
  const inspect = (pair: KeyPair) => issuer.inspect(pair, pair.certificate);
  const facts = { authority: await inspect(authority), next: next && (await inspect(next)) };
  const { signer, ...stored } = signingOf(question, facts, at);
  const successor = stored.turn?.kind === 'due' ? await issuer.authority(authorityRequest(profile, at)) : undefined;
  const known = { ...stored, ...given('authority', successor) };
  if (signer === undefined) return known;
  const leafFacts = question.leaf && (await issuer.inspect(question.leaf, signer.authority.certificate));
  const seen = { ...known, ...given('leafFacts', leafFacts) };
  if (!isLeafDue(leafFacts, names, { now, until: signer.until })) return seen;
  const leaf = await issuer.leaf(leafRequest(names, signer, at));
  return { ...seen, leaf };
}

function given<Name extends keyof Certificates>(name: Name, value: Certificates[Name] | undefined): Certificates {
  return value === undefined ? {} : { [name]: value };
}
