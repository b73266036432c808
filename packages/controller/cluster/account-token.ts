import { asKnudgeError, KnudgeError } from '../domain/errors.ts';
import type { Transport } from './call.ts';

export interface AccountToken {
  readonly namespace: string;
  /** The name of the ServiceAccount. */
  readonly name: string;
  /** The audience of the token; the API server itself if absent. */
  readonly audience?: string;
}

/** Seconds: the shortest lifetime that the API server allows. */
const lifetime = 600;

/**
 * Gives a token of a ServiceAccount, renewed after half of its life and kept only in memory. Needs the right to create
 * `serviceaccounts/token`: throws `not-permitted` without it, and `misuse` if there is no such ServiceAccount.
 */
export function accountTokens(transport: Transport, account: AccountToken): () => Promise<string> {
  let kept: { readonly token: string; readonly until: number } | undefined;
  return async () => {
    if (kept === undefined || Date.now() > kept.until) {
      const until = Date.now() + (lifetime * 1000) / 2;
      kept = { token: await request(transport, account), until };
    }
    return kept.token;
  };
}

async function request(transport: Transport, { namespace, name, audience }: AccountToken): Promise<string> {
  const spec = { expirationSeconds: lifetime, ...(audience !== undefined && { audiences: [audience] }) };
  try {
    const answer = await transport({
      method: 'POST',
      verb: 'create',
      resource: 'serviceaccounts/token',
      target: `a token of ServiceAccount ${namespace}/${name}`,
      path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/${encodeURIComponent(name)}/token`,
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec },
    });
    return (answer as { readonly status: { readonly token: string } }).status.token;
  } catch (cause) {
    throw withAdvice(asKnudgeError(cause), { namespace, name });
  }
}

function withAdvice(error: KnudgeError, { namespace, name }: AccountToken): KnudgeError {
  switch (error.code) {
    case 'not-permitted': {
      const right = `the right to create serviceaccounts/token of ${name} in namespace ${namespace} is missing`;
      return new KnudgeError(error.code, `${error.message}: ${right}, see docs/install.md`, { cause: error });
    }
    case 'gone': {
      const sentence = `there is no ServiceAccount ${namespace}/${name}: apply deploy/ again, which has it`;
      return new KnudgeError('misuse', sentence, { cause: error });
    }
    default:
      return error;
  }
}
