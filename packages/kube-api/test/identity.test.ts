import assert from 'node:assert/strict';
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { serveApi } from '../http/server.ts';
import type { JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import { configMaps, tryApi } from './handle.ts';

const account = '/api/v1/namespaces/default/serviceaccounts';
const reviews = '/apis/authentication.k8s.io/v1';

/** An API with a ServiceAccount, and a token of it. */
function withAccount(spec: JsonObject = {}) {
  const tried = tryApi();
  tried.call(`POST ${account}`, { metadata: { name: 'web' } });
  const { body } = tried.call(`POST ${account}/web/token`, { spec });
  return { ...tried, token: String(objectAt(body, 'status')['token']) };
}

test('who has the token of a ServiceAccount is that account', async (context) => {
  const { api, token, call } = withAccount();
  const server = await serveApi(api, { port: 0, token: 'secret' });
  context.after(() => server.close());
  const ask = async (bearer: string) => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}${reviews}/selfsubjectreviews`, { method: 'POST', headers, body: '{}' });
    return objectAt((await answer.json()) as JsonObject, 'status', 'userInfo')['username'];
  };
  assert.equal(await ask('secret'), 'kubernetes-admin');
  assert.equal(await ask(token), 'system:serviceaccount:default:web');
  assert.equal(await ask(`${token}x`), undefined);
  call(`DELETE ${account}/web`);
  call(`POST ${account}`, { metadata: { name: 'web' } });
  assert.equal(await ask(token), undefined, 'an account that was made again is another one');
});

test('a token for others, and one that has expired, lets nobody in', () => {
  const others = withAccount({ audiences: ['vault'] });
  assert.equal(others.api.userOf(others.token), undefined);
  const { api, token, pass } = withAccount({ expirationSeconds: 600 });
  assert.equal(api.userOf(token)?.username, 'system:serviceaccount:default:web');
  pass(601_000);
  assert.equal(api.userOf(token), undefined);
  assert.equal(api.userOf('a.b.c'), undefined);
});

test('a dry run gives no token', () => {
  const { call } = withAccount();
  const { status, body } = call(`POST ${account}/web/token?dryRun=All`, {});
  assert.equal(status, 201);
  assert.equal(objectAt(body, 'status')['token'], '');
  assert.equal(call('POST /api/v1/namespaces/default/configmaps/web/token', {}).status, 404);
});

test('others can check a token by the published key', () => {
  const { call, token } = withAccount();
  const { issuer, jwks_uri } = call('GET /.well-known/openid-configuration').body;
  assert.equal(jwks_uri, `${String(issuer)}/openid/v1/jwks`);
  const [key] = call('GET /openid/v1/jwks').body['keys'] as unknown as readonly [JsonWebKey];
  const [head = '', body = '', signature = ''] = token.split('.');
  const published = { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  assert.ok(verify('sha256', Buffer.from(`${head}.${body}`), published, Buffer.from(signature, 'base64url')));
  assert.equal(call('GET /.well-known/nothing').status, 404);
});

test('groups need a user to be impersonated with, and an anonymous one is not authenticated', () => {
  const { call } = tryApi();
  assert.equal(call(`GET ${configMaps}`, undefined, { 'impersonate-group': 'painters' }).status, 400);
  const headers = { 'impersonate-user': 'system:anonymous', 'impersonate-uid': '7' };
  const { body } = call(`POST ${reviews}/selfsubjectreviews`, {}, headers);
  const { username, uid, groups } = objectAt(body, 'status', 'userInfo');
  assert.deepEqual(
    { username, uid, groups },
    {
      username: 'system:anonymous',
      uid: '7',
      groups: ['system:unauthenticated'],
    },
  );
});

test('a review of a token needs one', () => {
  const { call } = tryApi();
  assert.equal(call(`POST ${reviews}/tokenreviews`, { spec: {} }).status, 400);
});
