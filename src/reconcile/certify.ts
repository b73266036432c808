import { authorityRequest, isLeafDue, leafRequest } from '../decide/distributed-service/certificates.ts';
import type { CertificateQuestion, Certificates } from '../decide/resource.ts';
import type { Issuer } from '../domain/ports.ts';

/**
 * Looks at the certificates that a decision hangs on, and makes those that are due. An authority is only made here,
 * never used: it must be stored and read again first, for another instance may have stored its own.
 */
export async function certify(
  question: CertificateQuestion | undefined,
  at: { readonly issuer: Issuer; readonly now: string },
): Promise<Certificates> {
  const { issuer, now } = at;
  if (question === undefined) return {};
  if (question.about === 'supplied') return given('suppliedFacts', await issuer.inspect(question.pair));
  const { authority, names } = question;
  if (authority === undefined) return { authority: await issuer.authority(authorityRequest(question.profile, now)) };
  // Held against itself: the pair of a leaf is a pair too, and signs nothing that anybody would take.
  const authorityFacts = await issuer.inspect(authority, authority.certificate);
  const known = given('authorityFacts', authorityFacts);
  if (authorityFacts === undefined || authorityFacts.notAfter <= now) return known;
  const facts = question.leaf && (await issuer.inspect(question.leaf, authority.certificate));
  const seen = { ...known, ...given('leafFacts', facts) };
  if (!isLeafDue(facts, names, now)) return seen;
  const leaf = await issuer.leaf(leafRequest(names, { authority, until: authorityFacts.notAfter }, now));
  return { ...seen, leaf };
}

function given<Name extends keyof Certificates>(name: Name, value: Certificates[Name] | undefined): Certificates {
  return value === undefined ? {} : { [name]: value };
}
