import { secondsOf, timeOf } from '../../../packages/controller/domain/time.ts';
import type { CertificateFacts } from '../../../packages/issuing/types.ts';

/** A certificate is renewed when so much of its life is over. */
const renewAfter = 2 / 3;

/** When a certificate is renewed: RFC 3339, whole seconds. */
export function renewalOf({ notBefore, notAfter }: Pick<CertificateFacts, 'notBefore' | 'notAfter'>): string {
  const [from, to] = [secondsOf(notBefore), secondsOf(notAfter)];
  return timeOf(from + (to - from) * renewAfter);
}
