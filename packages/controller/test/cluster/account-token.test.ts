import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accountTokens } from '../../cluster/account-token.ts';
import type { Call } from '../../cluster/call.ts';
import { KnudgeError } from '../../domain/errors.ts';

const account = { namespace: 'knudge', name: 'first-resync', audience: 'the-broker' };

test('a token is asked for once, for its audience, and anew after half of its life', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 0 });
  const calls: Call[] = [];
  const transport = async (call: Call) => {
    calls.push(call);
    return { status: { token: `token-${calls.length}` } };
  };
  const token = accountTokens(transport, account);
  const given: string[] = [];
  for (const seconds of [0, 1, 300, 301, 600, 602]) {
    context.mock.timers.setTime(seconds * 1000);
    given.push(await token());
  }
  assert.deepEqual(given, ['token-1', 'token-1', 'token-1', 'token-2', 'token-2', 'token-3']);
  assert.deepEqual(
    [calls[0]?.path, calls[0]?.body],
    [
      '/api/v1/namespaces/knudge/serviceaccounts/first-resync/token',
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: { expirationSeconds: 600, audiences: ['the-broker'] },
      },
    ],
  );
});

const refusals = [
  {
    code: 'not-permitted',
    wanted: 'not-permitted',
    says: /^no: the right to create serviceaccounts\/token of first-resync in namespace knudge is missing, see docs\/install\.md$/,
  },
  {
    code: 'gone',
    wanted: 'misuse',
    says: /^there is no ServiceAccount knudge\/first-resync: apply deploy\/ again, which has it$/,
  },
  { code: 'unavailable', wanted: 'unavailable', says: /^no$/ },
] as const;
for (const { code, wanted, says } of refusals) {
  test(`an API server that gives none is told in a sentence: ${code}`, async () => {
    const token = accountTokens(async () => {
      throw new KnudgeError(code, 'no');
    }, account);
    await assert.rejects(token(), { code: wanted, message: says });
  });
}
