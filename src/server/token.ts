import { KnudgeError } from '../domain/errors.ts';
import { parseJson } from '../wire/json.ts';

/** How tokens of ServiceAccounts are signed. No other way is taken, least of all one that the sender chooses. */
const algorithms = ['RS256', 'ES256'] as const;

/** A JSON Web Token (RFC 7519) as it says it is: nothing of it is true before its signature holds. */
export interface Token {
  readonly algorithm: (typeof algorithms)[number];
  readonly keyId: string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** What is signed, and the signature. */
  readonly signed: Buffer;
  readonly signature: Buffer;
}

/** As Node has the header of a request. */
export type Header = string | readonly string[] | undefined;

/** The token of a header `Authorization`. Throws `unauthenticated` where it has none that could be checked. */
export function readToken(authorization: Header): Token {
  const [, text] = /^Bearer +(\S+)$/i.exec(typeof authorization === 'string' ? authorization : '') ?? [];
  if (text === undefined) throw refused('there is no token: send Authorization: Bearer …');
  const [, head = '', body = '', tail = ''] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(text) ?? [];
  const header = objectIn(head);
  const claims = objectIn(body);
  const algorithm = algorithms.find((one) => one === header?.['alg']);
  const keyId = header?.['kid'];
  if (header === undefined || claims === undefined) throw refused('the token is no JSON Web Token');
  if (algorithm === undefined) throw refused(`the token is not signed by one of ${algorithms.join(', ')}`);
  // RFC 7515, 4.1.11: who does not know what is critical must not take it.
  if (typeof keyId !== 'string' || 'crit' in header) throw refused('the token does not say by which key it is signed');
  return {
    algorithm,
    keyId,
    claims,
    signed: Buffer.from(`${head}.${body}`),
    signature: Buffer.from(tail, 'base64url'),
  };
}

/** The refusal of a token. Nothing of the token is repeated. */
export function refused(why: string): KnudgeError {
  return new KnudgeError('unauthenticated', why);
}

function objectIn(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = parseJson(Buffer.from(part, 'base64url'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
