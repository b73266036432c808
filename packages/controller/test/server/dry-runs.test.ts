import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { functions } from '../../../../functions/table.ts';
import { equip } from '../../../../resources/managed/equip.ts';
import { settings } from '../../../../resources/managed/settings.ts';
import { startApiStub } from '../../../../test/build/api-stub.ts';
import { event, recorded } from '../../../../test/build/event.ts';
import { published, token, trusted } from '../../../../test/security/tokens.ts';
import { runChangeFunctions } from '../../../start/main.ts';
import { createDryRuns, mostDryRuns } from '../../server/dry-runs.ts';
import { post, startApp } from './start.ts';

describe('in a cluster a dry run', () => {
  it('without a token is refused, whatever is asked, and nothing is read for it', async () => {
    const { app, calls } = startApp({ env: { KUBERNETES_SERVICE_HOST: '10.96.0.1' } });
    const answer = await post(app, event(), '/?dryRun=All');
    assert.deepEqual([answer.status, answer.body.code, calls.length], [403, 'sender-not-allowed', 0]);
    assert.match(
      answer.body.message,
      /needs a token: set OIDC_ISSUER and send one, or run the function on your machine/,
    );
    assert.equal((await post(app, event(), '/')).status, 204, 'an event is taken as ever');
  });

  it('with the token of a trusted sender is answered with the plan, and with none or a bad one 401', async (t) => {
    const type = 'application/jwk-set+json';
    const api = await startApiStub(({ url: path = '' }) =>
      path.startsWith('/openid/')
        ? { status: 200, headers: { 'content-type': type }, body: { keys: published } }
        : { status: 404, body: { kind: 'Status', reason: 'NotFound', code: 404 } },
    );
    t.after(() => api.close());
    const { issuer, audience, subjects } = trusted;
    const oidc = { OIDC_ISSUER: issuer, OIDC_AUDIENCE: audience, OIDC_SUBJECTS: subjects.join() };
    const env = {
      PORT: '0',
      LOG_LEVEL: 'silent',
      API_SERVER_URL: api.url,
      KUBERNETES_SERVICE_HOST: '10.96.0.1',
      ...oidc,
    };
    const own = { stem: 'message-changed', ...functions['message-changed'] } as const;
    const running = await runChangeFunctions({ name: 'message-changed', own: [own], settings, equip }, env);
    t.after(() => running.close());
    const change = recorded('message-changed/message-update-spec');
    const ask = (authorization?: string) =>
      post(
        running,
        { ...change, headers: { ...change.headers, ...(authorization && { authorization }) } },
        '/?dryRun=All',
      );
    assert.deepEqual([(await ask()).status, (await ask('Bearer a.b.c')).status], [401, 401]);
    assert.equal((await ask(`Bearer ${token()}`)).status, 204, 'the Message is gone: there is no plan');
  });
});

describe('dry runs', () => {
  it('on a machine of ones own need no token', async () => {
    const { app, calls } = startApp();
    await post(app, event(), '/?dryRun=All');
    assert.deepEqual(
      calls.map(({ options }) => options.dryRun),
      [true],
    );
  });

  it('are few at a time: who comes then is asked for patience, and events go on', async () => {
    const held = Promise.withResolvers<void>();
    const full = Promise.withResolvers<void>();
    const { app, calls } = startApp({
      handle: async (_, { dryRun }) => {
        if (calls.length === mostDryRuns) full.resolve();
        if (dryRun) await held.promise;
        return [{ result: 'done', reads: 1, writes: 0 }];
      },
    });
    app.listen(0, '127.0.0.1');
    const one = async () => (await post(app, event(), '/?dryRun=All')).status;
    const some = Array.from({ length: mostDryRuns }, one);
    await full.promise;
    assert.equal((await post(app, event(), '/')).status, 204);
    const answer = await post(app, event(), '/?dryRun=All');
    assert.deepEqual([answer.status, answer.body.code, answer.headers['retry-after']], [429, 'throttled', '1']);
    held.resolve();
    assert.deepEqual([...new Set(await Promise.all(some))], [204]);
    app.close();
  });

  it('of which one failed make room for the next', async () => {
    const dryRuns = createDryRuns({ isInCluster: false, asksForTokens: false });
    for (let tries = 0; tries <= mostDryRuns; tries += 1) {
      await assert.rejects(
        dryRuns(() => Promise.reject(new Error('broken'))),
        /broken/,
      );
    }
  });
});
