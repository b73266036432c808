import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { refuseForeign } from '../../controller/domain/refuse-foreign.ts';
import type { User } from '../identity/user.ts';
import { administrator } from '../identity/user.ts';
import { ApiProblem } from './problem.ts';

/** Health, which the real server shows to every client. */
const forAll = /^\/(livez|readyz|healthz)(\?|$)/;

/** The token of the administrator, and who has another one. */
export interface Tokens {
  readonly token: string;
  readonly userOf: (token: string) => User | undefined;
}

/**
 * The user that sends a request. Throws an ApiProblem unless the request has a token and comes from a program and not from a page in a
 * browser.
 */
export function authenticate(
  request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  { token, userOf }: Tokens,
): User {
  const refused = refuseForeign(request);
  if (refused !== undefined) {
    const reason = refused.status === 415 ? 'UnsupportedMediaType' : 'Forbidden';
    throw new ApiProblem(refused.status, reason, { message: refused.message });
  }
  if (forAll.test(request.url ?? '')) return administrator;
  const [, shown = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (timingSafeEqual(digest(shown), digest(token))) return administrator;
  const user = userOf(shown);
  if (user !== undefined) return user;
  throw new ApiProblem(401, 'Unauthorized', { message: 'Unauthorized: send the token of the kubeconfig of this mesh' });
}

/** Of one length for every text. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
