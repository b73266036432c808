import type { Chance } from '../../../packages/controller/testing/sim/random.ts';
import { inspect } from '../../../packages/issuing/inspect.ts';
import type { CertificateFacts, Issuer, KeyPair } from '../../../packages/issuing/types.ts';

/** What stands in a certificate of the simulator: all that the port says of a real one. */
interface Written extends CertificateFacts {
  readonly id: string;
  readonly keyId: string;
  /** The id of the authority that signed it. */
  readonly signedBy: string;
  readonly isAuthority: boolean;
}

/**
 * Makes certificates without mathematics, the same for the same chance: a real key takes longer than a whole run.
 * issuer.test.ts holds it to the real one by one table.
 */
export function simulatedIssuer(chance: Chance): Issuer {
  const make = (facts: CertificateFacts, { isAuthority, by }: { isAuthority: boolean; by?: string }): KeyPair => {
    const [id, keyId] = [chance.uuid(), chance.uuid()];
    const written: Written = { ...facts, id, keyId, isAuthority, signedBy: by ?? id };
    return { certificate: pem('CERTIFICATE', written), key: pem('PRIVATE KEY', { keyId, secret: chance.uuid() }) };
  };
  return {
    authority: async ({ notBefore, notAfter }) => make({ notBefore, notAfter, dnsNames: [] }, { isAuthority: true }),
    leaf: async ({ notBefore, notAfter, dnsNames, authority }) => {
      const signer = read<Written>(authority.certificate);
      if (signer === undefined) throw new Error('the authority is no certificate');
      return make({ notBefore, notAfter, dnsNames }, { isAuthority: false, by: signer.id });
    },
    inspect: async (pair, authorityCertificate) => inspectSimulated(pair, authorityCertificate),
  };
}

/** What the port says of a pair, also of a real one that somebody supplied; oracles ask it too. */
export function inspectSimulated(
  { certificate, key }: KeyPair,
  authorityCertificate?: string,
): CertificateFacts | undefined {
  const written = read<Written>(certificate);
  const own = read<{ readonly keyId: string }>(key);
  if (written === undefined) return inspect({ certificate, key }, authorityCertificate);
  if (own?.keyId !== written.keyId) return undefined;
  if (authorityCertificate !== undefined) {
    const authority = read<Written>(authorityCertificate);
    if (authority?.isAuthority !== true || authority.id !== written.signedBy) return undefined;
  }
  const { notBefore, notAfter, dnsNames } = written;
  return { notBefore, notAfter, dnsNames };
}

function pem(label: string, value: object): string {
  const lines =
    Buffer.from(JSON.stringify(value))
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

function read<Value>(text: string): Value | undefined {
  const inner = /^-----BEGIN [A-Z ]+-----\n([\s\S]+)\n-----END [A-Z ]+-----\n$/.exec(text)?.[1];
  try {
    return inner === undefined ? undefined : (JSON.parse(Buffer.from(inner, 'base64').toString()) as Value);
  } catch {
    return undefined;
  }
}
