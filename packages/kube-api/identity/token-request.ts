import { trackUpdate } from '../apply/track.ts';
import { definition } from '../builtin/definitions.ts';
import { normal } from '../builtin/normal.ts';
import { parseBody } from '../http/body.ts';
import { writeOptions } from '../http/options.ts';
import { invalid, notFound } from '../http/problem.ts';
import type { ApiRequest, ServerContext } from '../http/request.ts';
import { timestamp } from '../http/request.ts';
import type { Target } from '../http/route.ts';
import { noMethod, noResource } from '../http/route.ts';
import type { JsonObject } from '../json.ts';
import { isArray, objectAt } from '../json.ts';
import { metadataOf } from '../objects/metadata.ts';
import { find } from '../objects/write.ts';
import type { Kind } from '../schema/kind.ts';
import { invalidValue } from '../schema/texts.ts';
import { issuer } from './tokens.ts';

const shortest = 600;
const longest = 2 ** 32;

/** POST of a TokenRequest to a ServiceAccount: gives a token that says who it is, until it expires or this process ends. */
export function requestToken(world: ServerContext, target: Target, request: ApiRequest): JsonObject {
  if (target.kind.plural !== 'serviceaccounts' || target.kind.group !== '') throw noResource();
  if (request.method !== 'POST') throw noMethod();
  const { dryRun, manager } = writeOptions('Create', request);
  const account = find(world, target);
  if (account === undefined) throw notFound(target.kind, target.name);
  const { kind } = target;
  const own: Kind = {
    ...kind,
    group: 'authentication.k8s.io',
    kind: 'TokenRequest',
    hasStatus: false,
    schema: definition('authentication.v1.TokenRequest'),
  };
  const given = normal(own.schema, parseBody(request, own.kind)) as JsonObject;
  const after = trackUpdate({
    kind: own,
    before: undefined,
    after: given,
    manager,
    subresource: 'token',
    now: world.now(),
  });
  const spec = objectAt(given, 'spec');
  const seconds = Number(spec['expirationSeconds'] ?? 3600);
  insistOnLife(seconds);
  const wanted = isArray(spec['audiences']) ? spec['audiences'].map(String) : [];
  const audiences = wanted.length > 0 ? wanted : [issuer];
  const now = Math.floor(world.now() / 1000);
  const claims = { ...claimsOf(target, account, { audiences, now, seconds }), jti: world.newUid() };
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: {
      name: target.name,
      namespace: target.namespace,
      uid: metadataOf(account)['uid'] ?? '',
      creationTimestamp: timestamp(world.now()),
      ...metadataOf(after),
    },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: spec['boundObjectRef'] ?? null },
    status: {
      token: dryRun ? '' : world.signer.sign(claims),
      expirationTimestamp: timestamp((now + seconds) * 1000),
    },
  };
}

interface Life {
  readonly audiences: readonly string[];
  readonly now: number;
  readonly seconds: number;
}

function claimsOf({ namespace, name }: Target, account: JsonObject, { audiences, now, seconds }: Life): JsonObject {
  const { uid = '' } = metadataOf(account);
  return {
    aud: audiences,
    exp: now + seconds,
    iat: now,
    iss: issuer,
    'kubernetes.io': { namespace, serviceaccount: { name, uid } },
    nbf: now,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
}

function insistOnLife(seconds: number): void {
  const field = 'spec.expirationSeconds';
  const named = { group: 'authentication.k8s.io', kind: 'TokenRequest', plural: '' };
  if (seconds < shortest)
    throw invalid(named, '', [invalidValue(field, seconds, 'may not specify a duration less than 10 minutes')]);
  if (seconds > longest)
    throw invalid(named, '', [invalidValue(field, seconds, 'may not specify a duration larger than 2^32 seconds')]);
}
