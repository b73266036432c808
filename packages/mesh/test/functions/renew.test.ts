import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createFunctions } from '../../functions/functions.ts';
import type { Hop } from '../../hop.ts';
import { eventually, functionSpec, startStub } from './build.ts';

/** A stub whose program is a file that the test may write. */
async function startWritable(context: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-'));
  const program = join(dir, 'stub.ts');
  copyFileSync(new URL('./stub.ts', import.meta.url), program);
  const hops: Hop[] = [];
  const functions = await createFunctions([functionSpec({ timeoutSeconds: 10 })], {
    command: () => [process.execPath, program],
    env: { PATH: process.env['PATH'] ?? '' },
    report: (hop) => hops.push(hop),
  });
  context.after(async () => {
    await functions.close(0);
    rmSync(dir, { recursive: true });
  });
  const text = readFileSync(program, 'utf8');
  return {
    functions,
    hops,
    ask: async () => (await fetch(functions.urls.get('stub') ?? '')).status,
    save: (change: (text: string) => string) => {
      writeFileSync(program, change(text));
      functions.renew();
    },
  };
}

test('an instance that is renewed finishes what it has, and the next request starts another', async (context) => {
  const stub = await startStub(context);
  const slow = stub.ask('/sleep?ms=500');
  await eventually('it has begun', () => stub.of('said').some(({ line }) => line.startsWith('began /sleep')));
  const [, first] = [stub.functions.renew(), await stub.ask('/')];
  const before = (await slow).text.split(' ')[0];
  assert.equal((await slow).status, 200);
  assert.notEqual((JSON.parse(first.text) as { pid: number }).pid, Number(before));
  await eventually('the old one is gone', () => stub.of('slept').length === 1);
  assert.equal(stub.of('crashed').length, 0);
});

test('one that sleeps stays asleep', async (context) => {
  const stub = await startStub(context);
  stub.functions.renew();
  assert.deepEqual(stub.hops, []);
});

test('one that never sleeps starts anew at once', async (context) => {
  const stub = await startStub(context, { minScale: 1 });
  await eventually('awake', () => stub.of('woke').length === 1);
  stub.functions.renew();
  await eventually('awake again', () => stub.of('woke').length === 2);
});

test('the next save mends a syntax error, without a wait for the pause after its crash', async (context) => {
  const { ask, save, hops } = await startWritable(context);
  assert.equal(await ask(), 201);
  save((text) => `${text}\nconst = 1;`);
  const held = ask();
  await eventually('crashed', () => hops.filter(({ kind }) => kind === 'crashed').length >= 2);
  assert.match(JSON.stringify(hops.findLast(({ kind }) => kind === 'crashed')), /exit code 1/);
  save((text) => text.replace('writeHead(201', 'writeHead(202'));
  assert.equal(await held, 202, 'the request that waited meets the mended code');
});
