import { KnudgeError } from '../domain/errors.ts';
import type { Transport } from './call.ts';

/**
 * The public keys (RFC 7517) that sign the tokens which this API server gives to ServiceAccounts. Every ServiceAccount may
 * read them, by the ClusterRole system:service-account-issuer-discovery of Kubernetes.
 */
export async function readTokenKeys(transport: Transport): Promise<readonly unknown[]> {
  const path = '/openid/v1/jwks';
  // For plain JSON it answers 406.
  const accept = 'application/jwk-set+json';
  const answer = await transport({ method: 'GET', verb: 'get', resource: 'jwks', target: path, path, accept });
  const { keys } = (answer ?? {}) as { readonly keys?: unknown };
  if (Array.isArray(keys)) return keys;
  throw new KnudgeError('unexpected-answer', `${path} of the API server has no list of keys`);
}
