import type { Finding } from '../../../packages/controller/domain/conditions.ts';
import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Observed, Write } from '../../../packages/controller/domain/plan.ts';
import type { KeyPair } from '../../../packages/issuing/types.ts';
import type { ProfileFinding } from '../frp/profile.ts';
import type { Given } from '../given.ts';
import { inputs } from '../inputs.ts';
import { labels } from '../names.ts';
import { isForUse, notForUse, sentenceOfUse } from '../parents/secret-use.ts';
import type { DistributedService } from '../types.ts';
import { authoritySecret } from './ca-secret.ts';
import { authorityOf, isAuthority, isUsable, leafSpan, questionOf } from './certificates.ts';
import { keyPairOf } from './key-pair.ts';
import type { GeneratedQuestion } from './question.ts';
import { renewalOf } from './renewal.ts';
import { rotationNote, rotationWrites } from './rotation.ts';

/** The reason of `CertificatesReady` if a certificate that a person supplied is in the last third of its life. */
export const expiringReason = 'CertificateExpiring';

/** The state of the certificates of a service. */
export interface CertificateFinding {
  readonly status: Finding['status'];
  readonly reason: string;
  readonly message: string;
  /** Whether only a person can mend it. */
  readonly failed: boolean;
  /** The leaf that the service should have; absent if Knudge has made no leaf for it. */
  readonly leaf?: KeyPair;
  /** An authority that must be stored before it signs anything. */
  readonly newAuthority?: KubeObject;
  /** Writes to the authority, which all services of the server profile share. */
  readonly rotation?: readonly Write[];
}

export function findCertificates(
  observed: Observed<DistributedService>,
  given: Given,
  profile: ProfileFinding,
): CertificateFinding {
  const { enabled, autoGenerate, secretName = '' } = observed.owner.spec.security.mtls;
  if (!enabled) return good('NotRequired', 'Mutual TLS is not enabled');
  return autoGenerate ? generated(observed, given, profile) : supplied(observed, given, secretName);
}

function supplied({ inputs: found }: Observed, { certificates, now }: Given, name: string): CertificateFinding {
  const [secret] = found.get(inputs.suppliedCertificate) ?? [];
  if (secret === undefined) {
    const how = `create it with tls.crt and tls.key, and with the label ${labels.use}=true`;
    return bad('SecretNotFound', `Secret ${name} does not exist in this namespace: ${how}`);
  }
  if (!isForUse(secret)) return bad(notForUse.certificate, sentenceOfUse(refOf(secret)));
  const facts = certificates.suppliedFacts;
  if (facts === undefined) {
    return bad('SecretInvalid', `Secret ${name} has no certificate in tls.crt with its key in tls.key: replace them`);
  }
  if (facts.notAfter <= now)
    return bad('CertificateExpired', `The certificate in Secret ${name} ended at ${facts.notAfter}: replace it`);
  // A person has to renew it, so the status warns in time.
  if (renewalOf(facts) <= now)
    return good(expiringReason, `The certificate in Secret ${name} ends at ${facts.notAfter}: replace it before that`);
  return good('CertificatesProvisioned', `The certificate in Secret ${name} is valid until ${facts.notAfter}`);
}

function generated(observed: Observed<DistributedService>, given: Given, profile: ProfileFinding): CertificateFinding {
  if (profile.is !== 'usable') return { ...waiting('WaitingForServerProfile', profile.message), status: 'Unknown' };
  const { namespace = '' } = profile.configMap.metadata;
  const name = observed.owner.spec.serverProfile;
  const stored = authorityOf(observed, namespace);
  if (stored === undefined) {
    const { authority } = given.certificates;
    const finding = waiting('CertificatesIssuing', 'The certificate authority is being made');
    return authority === undefined
      ? finding
      : { ...finding, newAuthority: authoritySecret(namespace, name, authority) };
  }
  const where = `${stored.metadata.namespace ?? ''}/${stored.metadata.name}`;
  if (!isAuthority(stored)) {
    return bad(
      'AuthorityForeign',
      `Secret ${where} has the name of the certificate authority and is not it: rename it`,
    );
  }
  const { signerFacts, isNextBroken } = given.certificates;
  const question = questionOf(observed);
  if (keyPairOf(stored) === undefined || (question !== undefined && signerFacts === undefined)) {
    return bad(
      'AuthorityInvalid',
      `Secret ${where} holds no certificate authority that Knudge can sign with (ECDSA over P-256): delete it, and every certificate is made anew`,
    );
  }
  if (signerFacts !== undefined && signerFacts.notAfter <= given.now) {
    return bad(
      'AuthorityExpired',
      `The certificate authority in Secret ${where} ended at ${signerFacts.notAfter}: delete it, and every certificate is made anew`,
    );
  }
  if (question?.about !== 'generated' || signerFacts === undefined) return issuing;
  const found = ofLeaf(question, given, signerFacts.notAfter);
  if (isNextBroken) {
    const what = `Secret ${where} holds no certificate authority that is valid in next.crt with its key in next.key`;
    return { ...found, ...bad('AuthorityInvalid', `${what}: remove both, and the next one is made anew`) };
  }
  const message = [found.message, rotationNote(stored, given)].filter((part) => part !== '').join('; ');
  return { ...found, message, rotation: rotationWrites(stored, question, given) };
}

const issuing = waiting('CertificatesIssuing', 'The certificate is being made');

/** `until`: when the authority ends. */
function ofLeaf({ leaf: stored, names }: GeneratedQuestion, given: Given, until: string): CertificateFinding {
  const { leaf: made, leafFacts: facts } = given.certificates;
  // After a refusal this pass writes the status alone and throws away the leaf that it has made. So the stored leaf counts.
  if (made !== undefined && given.refusal === undefined) return provisioned(made, leafSpan(given, until).notAfter);
  if (stored === undefined || facts === undefined || !isUsable(facts, names, given.now)) return issuing;
  return provisioned(stored, facts.notAfter);
}

function provisioned(leaf: KeyPair, until: string): CertificateFinding {
  return { ...good('CertificatesProvisioned', `The certificate is valid until ${until}`), leaf };
}

function good(reason: string, message: string): CertificateFinding {
  return { status: 'True', reason, message, failed: false };
}

function waiting(reason: string, message: string): CertificateFinding {
  return { status: 'False', reason, message, failed: false };
}

function bad(reason: string, message: string): CertificateFinding {
  return { status: 'False', reason, message, failed: true };
}
