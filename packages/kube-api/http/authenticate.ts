import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { refuseForeign } from '../../controller/domain/refuse-foreign.ts';
import { ApiProblem } from './problem.ts';

/** Health, as the real server tells it to everybody. */
const forAll = /^\/(livez|readyz|healthz)(\?|$)/;

/** Throws an ApiProblem unless a program of this machine asks, with the token. */
export function authenticate(request: Pick<IncomingMessage, 'method' | 'url' | 'headers'>, token: string): void {
  const refused = refuseForeign(request);
  if (refused !== undefined) {
    const reason = refused.status === 415 ? 'UnsupportedMediaType' : 'Forbidden';
    throw new ApiProblem(refused.status, reason, { message: refused.message });
  }
  if (forAll.test(request.url ?? '')) return;
  const [, shown = ''] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (timingSafeEqual(digest(shown), digest(token))) return;
  throw new ApiProblem(401, 'Unauthorized', { message: 'Unauthorized: show the token of the kubeconfig of this mesh' });
}

/** Of one length, whatever the text is. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
