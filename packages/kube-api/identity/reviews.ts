import { trackUpdate } from '../apply/track.ts';
import type { WriteOptions } from '../http/options.ts';
import { badRequest, invalid } from '../http/problem.ts';
import type { ServerContext } from '../http/request.ts';
import { timestamp } from '../http/request.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isObject, objectAt } from '../json.ts';
import { withMetadata } from '../objects/metadata.ts';
import type { Kind } from '../schema/kind.ts';
import { invalidValue } from '../schema/texts.ts';
import { authenticated } from './accounts.ts';
import { issuer } from './tokens.ts';
import type { User } from './user.ts';
import { infoOf } from './user.ts';

/** The question of a review, and who asks. */
interface Asked {
  readonly spec: JsonObject;
  readonly user: User;
  readonly world: ServerContext;
  readonly kind: Kind;
}

const everything = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
  incomplete: false,
};

/** The status of each review. The embedded API has no authorization: each client that it lets in may do everything. */
const answers: Readonly<Record<string, (asked: Asked) => JsonObject>> = {
  SelfSubjectAccessReview: allowed,
  LocalSubjectAccessReview: allowed,
  SubjectAccessReview: allowed,
  SelfSubjectRulesReview: ({ spec }) => {
    if (!spec['namespace']) throw badRequest('no namespace on request');
    return everything;
  },
  SelfSubjectReview: ({ user }) => ({ userInfo: infoOf(user) }),
  TokenReview: reviewToken,
};

interface Question {
  readonly object: JsonObject;
  readonly namespace: string;
  readonly write: Pick<WriteOptions, 'manager' | 'user'>;
}

/** A review with its answer. Nothing of it is stored. */
export function answerReview(world: ServerContext, kind: Kind, { object, namespace, write }: Question): JsonObject {
  const spec = objectAt(object, 'spec');
  const { manager, user } = write;
  const isSelf = kind.kind === 'SelfSubjectReview';
  const own = withMetadata(object, {
    ...(namespace !== '' && { namespace }),
    ...(isSelf && { creationTimestamp: timestamp(world.now()) }),
  });
  const review = trackUpdate({ kind, before: undefined, after: own, manager, subresource: '', now: world.now() });
  const status = answers[kind.kind]?.({ spec, user, world, kind }) ?? {};
  return { ...review, status };
}

const self = 'SelfSubjectAccessReview';

function allowed({ spec, kind }: Asked): JsonObject {
  const isOne = isObject(spec['resourceAttributes']) !== isObject(spec['nonResourceAttributes']);
  const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  const nobody = kind.kind !== self && !spec['user'] && !isFilled(spec['groups']);
  const causes = [
    ...(isOne ? [] : [invalidValue('spec.resourceAttributes', null, why)]),
    ...(nobody ? [invalidValue('spec.user', '', 'at least one of user or group must be specified')] : []),
  ];
  // The real server names the group alone.
  if (causes.length > 0) throw invalid({ ...kind, kind: '' }, '', causes);
  return { allowed: true };
}

function isFilled(value: Json | undefined): boolean {
  return isArray(value) && value.length > 0;
}

/** Knows the tokens of ServiceAccounts that this API made; it does not know the token of the kubeconfig. */
function reviewToken({ spec, world }: Asked): JsonObject {
  const { token = '', audiences } = spec;
  if (token === '') throw badRequest('token is required for TokenReview in authentication');
  const found = authenticated(world, String(token));
  const wanted = isFilled(audiences) && isArray(audiences) ? audiences.map(String) : [issuer];
  const common = found?.audiences.filter((audience) => wanted.includes(audience)) ?? [];
  if (found === undefined || common.length === 0) {
    return { user: {}, error: 'invalid bearer token' };
  }
  return { authenticated: true, user: infoOf(found.user), audiences: common };
}
