import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { freePort, untilListening } from '../../../packages/image/cache/listening.ts';
import { type Bundle, bundleLoader, bundleService, bundleTokens } from '../../../tools/build/bundles.ts';
import { checkBundle } from '../../../tools/build/check.ts';
import { startApiStub } from '../../build/api-stub.ts';
import { recorded } from '../../build/event.ts';
import { elliptic, forged, published, token, trusted } from '../../security/tokens.ts';

/** Milliseconds: a bound for machines that do other things too. */
const longest = 20_000;

let folder: string;
let own: Bundle;
let api: Awaited<ReturnType<typeof startApiStub>>;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'knudge-tokens-'));
  [own] = await Promise.all([bundleService('pod-changed', folder), bundleLoader(folder)]);
  api = await startApiStub(({ url = '' }) =>
    url.startsWith('/openid/')
      ? { status: 200, headers: { 'content-type': 'application/jwk-set+json' }, body: { keys: published } }
      : { status: 404, body: { kind: 'Status', reason: 'NotFound', code: 404 } },
  );
});
after(() => {
  api.close();
  rmSync(folder, { recursive: true });
});

const inputs = ({ metafile }: Bundle): readonly string[] =>
  Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));

/** As the image starts it. */
function start(port: number): ChildProcess {
  const senders = { OIDC_ISSUER: trusted.issuer, OIDC_AUDIENCE: trusted.audience, OIDC_SUBJECTS: trusted.subjects[0] };
  return spawn(process.execPath, ['--disable-proto=delete', join(folder, 'function.cjs'), 'pod-changed'], {
    env: { ...senders, PORT: String(port), LOG_LEVEL: 'silent', API_SERVER_URL: api.url },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

test('what checks tokens is in no function, but a file beside it that one without OIDC_ISSUER never opens', async () => {
  assert.deepEqual(checkBundle(own), []);
  assert.ok(!inputs(own).some((input) => input.includes('node_modules/jose/')));
  const asked = Object.values(own.metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  assert.ok(asked.includes('./tokens.cjs'));
  // It is not there yet: with OIDC_ISSUER nothing starts that could not check.
  const child = start(await freePort());
  const said = child.stderr?.toArray();
  assert.deepEqual(await once(child, 'exit', { signal: AbortSignal.timeout(longest) }), [1, null]);
  assert.match(String(Buffer.concat((await said) ?? [])), /^pod-changed cannot start: .*tokens\.cjs/);
});

test('a function of the image checks tokens with that file, which is small', async () => {
  const tokens = await bundleTokens(folder);
  assert.ok(inputs(tokens).some((input) => input.includes('node_modules/jose/')));
  assert.ok(tokens.bytes < 20_000, `${tokens.bytes} bytes`);
  const port = await freePort();
  const child = start(port);
  try {
    await untilListening(port);
    const { headers, body } = recorded('pod-changed/pod-add');
    const send = async (authorization: string | undefined): Promise<number> => {
      const all = { ...headers, ...(authorization !== undefined && { authorization }) };
      const url = `http://127.0.0.1:${String(port)}/`;
      return (await fetch(url, { method: 'POST', headers: all, body: new Uint8Array(body) })).status;
    };
    for (const [what, [authorization, status]] of Object.entries(forged)) {
      assert.equal(await send(authorization), status, what);
    }
    const other = token({}, { alg: 'ES256', kid: 'ec-1' }, elliptic.privateKey);
    for (const good of [token(), other]) assert.equal(await send(`Bearer ${good}`), 204);
  } finally {
    child.kill('SIGKILL');
  }
});
