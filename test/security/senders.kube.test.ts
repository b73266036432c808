import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { message } from '../build/objects.ts';
import { type Arena, openArena } from '../kube/arena.ts';
import { put } from '../kube/install.ts';
import { until } from '../kube/until.ts';

const audience = 'http://message-changed.knudge.svc.cluster.local';
/** As tools/control-plane starts the API server. */
const issuer = 'https://kubernetes.default.svc.cluster.local';
const sender = 'sender';

let arena: Arena;
let namespace: string;
let url: string;

before(async () => {
  const env = {
    OIDC_ISSUER: issuer,
    OIDC_AUDIENCE: audience,
    OIDC_SUBJECTS: `system:serviceaccount:knudge:${sender}`,
  };
  arena = await openArena({ stems: ['message-changed'], withSource: false, env });
  namespace = await arena.namespace('senders');
  for (const [name, home] of [
    [sender, 'knudge'],
    [sender, namespace],
  ] as const)
    await put(arena.api, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: home } });
  await arena.put(message('hello', 'x', { namespace }));
  url = arena.functions.of('message-changed').url;
});
after(() => arena.close());

async function tokenOf(home: string, audiences: readonly string[]): Promise<string> {
  const spec = { audiences, expirationSeconds: 600 };
  const path = `/api/v1/namespaces/${home}/serviceaccounts/${sender}/token`;
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  const answer = await arena.api('POST', path, { body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return (answer.body as { status: { token: string } }).status.token;
}

/** An event that lies about its object. */
async function send(authorization?: string) {
  const lies = { ...message('hello', 'forged', { namespace }), status: { phase: 'Processed' } };
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'ce-specversion': '1.0',
      'ce-type': 'dev.knative.apiserver.resource.update',
      'ce-id': 'forged',
      'ce-source': 'https://127.0.0.1:6443',
      'ce-kind': 'Message',
      'ce-apiversion': 'myorg.dev/v1',
      'ce-name': 'hello',
      'ce-namespace': namespace,
      'content-type': 'application/json',
      ...(authorization !== undefined && { authorization }),
    },
    body: JSON.stringify(lies),
  });
  return { status: answer.status, outcome: answer.headers.get('knudge-outcome'), body: await answer.text() };
}

/** What the function has asked of the API server, by verb and status: calls, also those for keys. */
async function asked(): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const counts = [...text.matchAll(/^knudge_api_requests_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count));
  return counts.reduce((sum, count) => sum + count, 0);
}

test('S9: no token, one for the API server and one of another ServiceAccount are refused, at the cost of one look for keys', async () => {
  assert.equal((await send()).status, 401);
  assert.equal((await send(`Bearer ${await tokenOf('knudge', [issuer])}`)).status, 401);
  assert.equal(await asked(), 0);
  const foreign = await send(`Bearer ${await tokenOf(namespace, [audience])}`);
  assert.deepEqual([foreign.status, JSON.parse(foreign.body).code], [403, 'sender-not-allowed']);
  const [head, , signature] = (await tokenOf('knudge', [audience])).split('.');
  const [, claims] = (await tokenOf('knudge', [audience, 'other'])).split('.');
  assert.equal((await send(`Bearer ${head}.${claims}.${signature}`)).status, 401);
  assert.equal(await asked(), 1);
});

test('S9: a token of the ServiceAccount that may send, signed by a real API server, is taken, and the event not believed', async () => {
  const authorization = `Bearer ${await tokenOf('knudge', [audience])}`;
  await until('the Message has come to rest', async () => {
    const { status, outcome, body } = await send(authorization);
    assert.equal(status, 204, body);
    const { phase } = (await arena.message(namespace, 'hello'))?.status ?? {};
    return (phase === 'Processed' && outcome?.endsWith('writes=0')) || `${outcome} ${phase}`;
  });
  const { status, outcome } = await send(authorization);
  assert.equal(status, 204);
  assert.match(outcome ?? '', /reads=[12]; writes=0$/);
  const found = await arena.message(namespace, 'hello');
  assert.equal((found?.spec as { text?: string } | undefined)?.text ?? JSON.stringify(found?.spec), 'x');
});
