import { secondsOf, timeOf } from '../../../packages/controller/domain/time.ts';
import type { CertificateFacts } from '../../../packages/issuing/types.ts';

/** Renewal begins after this fraction of the certificate's life. */
const renewAfter = 2 / 3;

/** The time when the renewal of a certificate begins: RFC 3339, whole seconds. */
export function renewalOf({ notBefore, notAfter }: Pick<CertificateFacts, 'notBefore' | 'notAfter'>): string {
  const [from, to] = [secondsOf(notBefore), secondsOf(notAfter)];
  return timeOf(from + (to - from) * renewAfter);
}
