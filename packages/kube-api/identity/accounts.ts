import type { ServerContext } from '../http/request.ts';
import type { JsonObject } from '../json.ts';
import { metadataOf } from '../objects/metadata.ts';
import { accountOf, audiencesOf, issuer } from './tokens.ts';
import type { User } from './user.ts';
import { accountUser } from './user.ts';

/** The user that a token names, and the audiences it is for. */
export interface Authenticated {
  readonly user: User;
  readonly audiences: readonly string[];
}

/** The ServiceAccount of a token of this API, as long as the account is there; undefined for any other text. */
export function authenticated({ store, signer, now }: ServerContext, token: string): Authenticated | undefined {
  const claims = signer.claimsOf(token, now() / 1000);
  if (claims === undefined) return undefined;
  const { namespace, name, uid } = accountOf(claims);
  const account = store.get({ resource: 'serviceaccounts', namespace, name });
  // An account that was made again is another one.
  if (metadataOf(account)['uid'] !== uid) return undefined;
  return { user: { ...accountUser(namespace, name, uid), extra: extraOf(claims) }, audiences: audiencesOf(claims) };
}

function extraOf(claims: JsonObject): Readonly<Record<string, readonly string[]>> {
  return { 'authentication.kubernetes.io/credential-id': [`JTI=${String(claims['jti'])}`] };
}

/** The user of a token that is for this API itself. */
export function userOfToken(world: ServerContext, token: string): User | undefined {
  const found = authenticated(world, token);
  return found?.audiences.includes(issuer) === true ? found.user : undefined;
}
