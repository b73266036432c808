import { admit, type Check } from './admit.ts';
import { answerJson, type LogAnswer, type LogRequest } from './request.ts';

/** What the buttons and pages of the console do, with the right that each needs. */
const wishes = {
  read: { method: 'GET', path: '/events' },
  deadLetters: { method: 'GET', path: '/dead-letters' },
  gaps: { method: 'GET', path: '/gaps' },
  stream: { method: 'GET', path: '/stream' },
  retry: { method: 'POST', path: '/dead-letters' },
  discard: { method: 'POST', path: '/dead-letters' },
  replay: { method: 'POST', path: '/replay' },
  plan: { method: 'POST', path: '/plan' },
} as const;

/** What the person who asks may do here, each with the reason where they may not: `{"may":{"retry":{"allowed":true},…}}`. */
export async function answerMay(request: LogRequest, check: Check | undefined): Promise<LogAnswer> {
  const may: Record<string, object> = {};
  for (const [name, { method, path }] of Object.entries(wishes)) {
    const refusal = await admit({ ...request, method, contentType: 'application/json' }, path, check);
    // Without a token that is known, or from elsewhere, nobody learns anything.
    if (refusal !== undefined && (refusal.status === 401 || check === undefined)) return refusal;
    const why = refusal && (JSON.parse(refusal.body) as { readonly message: string }).message;
    may[name] = why === undefined ? { allowed: true } : { allowed: false, why };
  }
  return answerJson(200, { may });
}
