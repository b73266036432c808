import { randomBytes } from 'node:crypto';
import { timeOf } from '../../controller/domain/time.ts';
import { issuer } from '../../issuing/issuer.ts';

/** What a client needs to use the embedded API. */
export interface Shown {
  readonly token: string;
  /** The certificate that clients trust, in PEM. */
  readonly authority: string;
}

export interface Credentials extends Shown {
  /** The server's certificate and key, in PEM. */
  readonly certificate: string;
  readonly key: string;
}

const days = 24 * 60 * 60;

/** New credentials for one start on 127.0.0.1; the key of the authority is not kept. */
export async function createCredentials(): Promise<Credentials> {
  const now = Date.now() / 1000;
  const life = { commonName: 'knudge', notBefore: timeOf(now - days), notAfter: timeOf(now + 365 * days) };
  const authority = await issuer.authority(life);
  const names = { dnsNames: ['localhost'], addresses: ['127.0.0.1'] };
  const leaf = await issuer.leaf({ ...life, commonName: 'embedded API', ...names, usage: 'server', authority });
  return { token: randomBytes(32).toString('base64url'), authority: authority.certificate, ...leaf };
}

/** The beginning of an embedded API's kubeconfig, by which it is recognized. */
export const opening = 'apiVersion: v1\nkind: Config\ncurrent-context: knudge\n';

/** The kubeconfig for kubectl and other clients. */
export function kubeconfigOf(url: string, { token, authority }: Shown): string {
  return `${opening}\
contexts:
  - name: knudge
    context: { cluster: knudge, user: knudge }
clusters:
  - name: knudge
    cluster:
      server: '${url.replace('http:', 'https:')}'
      certificate-authority-data: ${Buffer.from(authority).toString('base64')}
users:
  - name: knudge
    user: { token: '${token}' }
`;
}
