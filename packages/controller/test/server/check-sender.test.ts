import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noon, published, token, trusted } from '../../../../test/security/tokens.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { createSenderCheck, longestToken } from '../../server/check-sender.ts';

/** A check of senders, and how often it asked for keys. */
async function arrange({ keys = published, at = noon }: { keys?: readonly unknown[] | KnudgeError; at?: number } = {}) {
  const asked = { times: 0 };
  const readKeys = async (): Promise<readonly unknown[]> => {
    asked.times += 1;
    if (keys instanceof KnudgeError) throw keys;
    return keys;
  };
  const check = await createSenderCheck({ trusted, readKeys, now: () => at * 1000, elapsed: () => 0 });
  return { asked, check };
}

for (const { what, shown, says } of [
  { what: 'none', shown: undefined, says: /there is no token/ },
  { what: 'what is no token', shown: 'Bearer a.b', says: /not a JSON Web Token/ },
  { what: 'one that is too long', shown: `Bearer ${'x'.repeat(longestToken)}`, says: /longer than 8192 characters/ },
  { what: 'another algorithm', shown: token({}, { alg: 'PS256', kid: 'rsa-1' }), says: /one of RS256, ES256/ },
  { what: 'no key id', shown: token({}, { alg: 'RS256' }), says: /by which key it is signed/ },
  { what: 'another issuer', shown: token({ iss: 'https://other.example' }), says: /not of the issuer https:/ },
  { what: 'another audience', shown: token({ aud: ['other'] }), says: /not for http:/ },
  { what: 'one that has ended', shown: token({ exp: noon - 30 }), says: /has expired/ },
  { what: 'one without an end', shown: token({ exp: undefined }), says: /has expired/ },
  { what: 'one that begins later', shown: token({ nbf: noon + 31 }), says: /not valid yet/ },
]) {
  test(`a token that is refused whoever signed it makes nobody ask for keys: ${what}`, async () => {
    const { asked, check } = await arrange();
    const authorization = shown === undefined || shown.startsWith('Bearer ') ? shown : `Bearer ${shown}`;
    await assert.rejects(check(authorization), { code: 'unauthenticated', message: says });
    assert.equal(asked.times, 0);
  });
}

test('a clock may be wrong by less than thirty seconds, either way', async () => {
  const { check } = await arrange();
  await check(`Bearer ${token({ exp: noon - 29 })}`);
  await check(`Bearer ${token({ nbf: noon + 30 })}`);
});

test('the time is what the clock of the API server says', async () => {
  const { check } = await arrange({ at: noon + 3600 });
  await assert.rejects(check(`Bearer ${token()}`), { message: /has expired/ });
  await check(`Bearer ${token({ exp: noon + 7200 })}`);
});

test('where no keys can be had it is not said that the token is wrong', async () => {
  const away = new KnudgeError('unavailable', 'away');
  const { check } = await arrange({ keys: away });
  await assert.rejects(check(`Bearer ${token()}`), away);
});

test('a key that is too weak for its algorithm is none', async () => {
  const weak = { ...published[0], n: Buffer.alloc(64, 0xff).toString('base64url') };
  const { check } = await arrange({ keys: [weak] });
  await assert.rejects(check(`Bearer ${token()}`), { code: 'unauthenticated' });
});
