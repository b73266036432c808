import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { serve } from '../../controller/test/cluster/loopback.ts';
import { createSend } from '../send.ts';

const event = {
  attributes: { id: '1', type: 'dev.knative.apiserver.resource.add', name: 'Zürich "x"' },
  contentType: 'application/json',
  data: Buffer.from('{}'),
  headers: { 'kn-namespace': 'knudge' },
};
const parcel = { object: 'a', event, bytes: 1 };

/** A sink that answers with this status, and what sends to it. */
async function aSink(t: TestContext, status: number) {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-send-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const sink = await serve(t, () => ({ status, body: {} }));
  const [whys, tokenFile] = [[] as string[], join(dir, 'token')];
  const { send, close } = createSend({
    sink: sink.url,
    ca: '',
    tokenFile,
    timeoutMs: 1000,
    most: 2,
    refused: (why) => whys.push(why),
  });
  t.after(close);
  return { sink, send, whys, tokenFile };
}

test('an event goes in binary mode, and is taken with any 2xx', async (t) => {
  const { sink, send, whys } = await aSink(t, 202);
  assert.equal(await send(parcel), true);
  const { headers = {} } = sink.seen[0] ?? {};
  assert.deepEqual(
    ['ce-id', 'ce-name', 'content-type', 'kn-namespace', 'authorization'].map((name) => headers[name]),
    ['1', 'Z%C3%BCrich%20%22x%22', 'application/json', 'knudge', undefined],
  );
  assert.deepEqual(whys, []);
});

test('a token that Knative has mounted is shown, as it is at that moment', async (t) => {
  const { sink, send, tokenFile } = await aSink(t, 200);
  for (const token of ['one', 'two']) {
    writeFileSync(tokenFile, `${token}\n`);
    await send(parcel);
  }
  assert.deepEqual(
    sink.seen.map(({ headers }) => headers['authorization']),
    ['Bearer one', 'Bearer two'],
  );
});

test('any other answer is a reason, and so is none', async (t) => {
  const { send, whys } = await aSink(t, 503);
  assert.equal(await send(parcel), false);
  const nobody = createSend({
    sink: 'http://127.0.0.1:1',
    ca: '',
    tokenFile: '/none',
    timeoutMs: 1000,
    most: 2,
    refused: (why) => whys.push(why),
  });
  assert.equal(await nobody.send(parcel), false);
  assert.match(whys.join('; '), /^the sink answered 503; the sink cannot be reached: connect ECONNREFUSED/);
});
