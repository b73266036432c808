import { asKnudgeError } from '../../controller/domain/errors.ts';

/** Milliseconds for the answer: a process that is up answers in a few. */
const patience = 2000;

/** Why the log at this address is not ready, or that it does not answer; undefined if it is ready. Never rejects. */
export async function isReady(url: string, timeoutMs = patience): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/health/readiness`, { signal: AbortSignal.timeout(timeoutMs) });
    const text = await answer.text();
    return answer.ok ? undefined : `it answers ${answer.status} to /health/readiness (${text.trim()})`;
  } catch (error) {
    const { name, cause } = error as Error & { readonly cause?: Error };
    if (name === 'TimeoutError') return `it gives no answer to /health/readiness within ${timeoutMs / 1000} s`;
    return `it cannot be asked (${(cause ?? asKnudgeError(error)).message})`;
  }
}
