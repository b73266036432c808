import { randomBytes } from 'node:crypto';
import { issuer } from '../../../resources/distributed-service/issuing/issuer.ts';
import { timeOf } from '../../controller/domain/time.ts';

/** What a client needs to ask the embedded API. */
export interface Shown {
  readonly token: string;
  /** The certificate that it trusts, in PEM. */
  readonly authority: string;
}

export interface Credentials extends Shown {
  /** Those of the server, in PEM. */
  readonly certificate: string;
  readonly key: string;
}

const days = 24 * 60 * 60;

/** New ones, for one start on 127.0.0.1; the key of the authority is kept by nobody. */
export async function createCredentials(): Promise<Credentials> {
  const now = Date.now() / 1000;
  const life = { commonName: 'knudge', notBefore: timeOf(now - days), notAfter: timeOf(now + 365 * days) };
  const authority = await issuer.authority(life);
  const names = { dnsNames: ['localhost'], addresses: ['127.0.0.1'] };
  const leaf = await issuer.leaf({ ...life, commonName: 'embedded API', ...names, usage: 'server', authority });
  return { token: randomBytes(32).toString('base64url'), authority: authority.certificate, ...leaf };
}

/** How the kubeconfig of an embedded API begins, and no other one. */
export const opening = 'apiVersion: v1\nkind: Config\ncurrent-context: knudge\n';

/** For kubectl and whatever else reads one. */
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
