import { at, type Case, core, get, kubectl, post } from '../case.ts';

const authorization = '/apis/authorization.k8s.io/v1';
const authentication = '/apis/authentication.k8s.io/v1';
const pods = { namespace: '{ns}', verb: 'list', resource: 'pods' };
const one = (name: string, path: string, body: unknown): Case => ({ name, steps: [post(path, body)] });

/** Who may do what: everybody who is let in, as on a real API server for a member of system:masters. */
export const reviewsCases: readonly Case[] = [
  one('one who may do everything may list Pods', `${authorization}/selfsubjectaccessreviews`, {
    spec: { resourceAttributes: pods },
  }),
  one('one who may do everything may read any address', `${authorization}/selfsubjectaccessreviews`, {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { nonResourceAttributes: { path: '/metrics', verb: 'get' } },
  }),
  one('a review needs a question', `${authorization}/selfsubjectaccessreviews`, { spec: {} }),
  one('a review of another needs to say of whom', `${authorization}/subjectaccessreviews`, {
    spec: { resourceAttributes: pods },
  }),
  one('a group that may do everything may list Pods', `${authorization}/subjectaccessreviews`, {
    spec: { resourceAttributes: pods, user: 'ann', groups: ['system:masters'] },
  }),
  one('the same of one namespace', `${authorization}/namespaces/{ns}/localsubjectaccessreviews`, {
    spec: { resourceAttributes: pods, user: 'ann', groups: ['system:masters'] },
  }),
  {
    name: 'the rules of one who may do everything',
    steps: [
      post(`${authorization}/selfsubjectrulesreviews`, { spec: { namespace: '{ns}' } }, { view: broadRules }),
      post(`${authorization}/selfsubjectrulesreviews`, { spec: {} }),
    ],
  },
  {
    name: 'a review says who asks',
    steps: [
      post(
        `${authentication}/selfsubjectreviews`,
        {},
        {
          headers: { 'impersonate-user': 'ann', 'impersonate-group': 'painters' },
        },
      ),
      post(
        `${authentication}/selfsubjectreviews`,
        { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
        { headers: { 'impersonate-user': 'system:serviceaccount:{ns}:default' } },
      ),
    ],
  },
  {
    name: 'reviews are not kept',
    steps: [
      get(`${authorization}/selfsubjectaccessreviews`),
      get(`${authorization}/subjectaccessreviews/web`),
      get(authorization, { view: (body) => at(body, 'resources') }),
    ],
  },
  one('a token that nobody made is nobody’s', `${authentication}/tokenreviews`, { spec: { token: 'abc' } }),
  {
    name: 'a ServiceAccount gets a token, by which it is known',
    steps: [
      post(
        `${core('serviceaccounts', 'default')}/token`,
        { spec: { expirationSeconds: 1200 } },
        { save: { token: 'status.token' }, view: withoutToken },
      ),
      post(`${authentication}/tokenreviews`, { spec: { token: '{token}' } }, { view: reviewed }),
      post(`${authentication}/tokenreviews`, { spec: { token: '{token}', audiences: ['other'] } }, { view: reviewed }),
    ],
  },
  {
    name: 'a token for other ears is not for the API server',
    given: [
      post(
        `${core('serviceaccounts', 'default')}/token`,
        { spec: { audiences: ['vault'] } },
        { save: { token: 'status.token' } },
      ),
    ],
    steps: [
      post(`${authentication}/tokenreviews`, { spec: { token: '{token}' } }, { view: reviewed }),
      post(
        `${authentication}/tokenreviews`,
        { spec: { token: '{token}', audiences: ['vault', 'other'] } },
        { view: reviewed },
      ),
    ],
  },
  {
    name: 'a token lasts ten minutes at least',
    steps: [
      post(`${core('serviceaccounts', 'default')}/token`, { spec: { expirationSeconds: 5 } }),
      post(`${core('serviceaccounts', 'nobody')}/token`, {}),
      get(`${core('serviceaccounts', 'default')}/token`),
    ],
  },
  {
    name: 'kubectl asks what one may do, and who one is',
    steps: [
      kubectl('auth can-i create pods'),
      kubectl("auth can-i '*' '*' --all-namespaces"),
      kubectl('auth can-i get /logs'),
      kubectl('auth can-i --list', {
        view: (text) =>
          text
            .split('\n')
            .filter((line) => line.startsWith('*.*'))
            .join('\n'),
      }),
      kubectl('auth whoami --as=ann --as-group=painters'),
      kubectl('create token default --duration=20m', { view: () => 'a token' }),
      kubectl('create token nobody'),
    ],
  },
];

/** A real API server adds what everybody may do. */
function broadRules(body: unknown): unknown {
  const broad = (path: string, star: string) => {
    const rules = at(body, path);
    return Array.isArray(rules) ? rules.filter((rule) => JSON.stringify(at(rule, star)) === '["*"]') : rules;
  };
  return {
    resourceRules: broad('status.resourceRules', 'resources'),
    nonResourceRules: broad('status.nonResourceRules', 'nonResourceURLs'),
    incomplete: at(body, 'status.incomplete'),
  };
}

/** A token is random, and the issuer of the real server may be named otherwise. */
function withoutToken(body: unknown): unknown {
  const token = String(at(body, 'status.token'));
  const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  return {
    ...(body as object),
    spec: { ...(at(body, 'spec') as object), audiences: [] },
    status: { expirationTimestamp: at(body, 'status.expirationTimestamp') },
    claims: Object.keys(claims as object).sort(),
    subject: at(claims, 'sub'),
    lasts: Number(at(claims, 'exp')) - Number(at(claims, 'iat')),
  };
}

/** What the real server says of a token that it does not take has the names of its own checks. */
function reviewed(body: unknown): unknown {
  const { error, user, ...status } = at(body, 'status') as Record<string, unknown>;
  const { extra: _, ...known } = user as Record<string, unknown>;
  return { ...status, user: known, isRefused: error !== undefined };
}
