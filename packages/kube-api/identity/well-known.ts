import { answer } from '../http/answer.ts';
import type { Answer, ServerContext } from '../http/request.ts';
import { issuer } from './tokens.ts';

const keysPath = '/openid/v1/jwks';

/** By what others check the tokens of ServiceAccounts: the document of the issuer, and its key. */
export function answerWellKnown({ signer }: ServerContext, path: string): Answer | undefined {
  if (path === keysPath) return answer(200, signer.jwks());
  if (path !== '/.well-known/openid-configuration') return undefined;
  return answer(200, {
    issuer,
    jwks_uri: `${issuer}${keysPath}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  });
}
