import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { freePort } from '../../../packages/image/cache/listening.ts';
import { cacheOf, scriptOf } from '../../../packages/image/cache/script.ts';
import {
  type Bundle,
  bundleCacheMaker,
  bundleCertificates,
  bundleLoader,
  bundleService,
} from '../../../tools/build/bundles.ts';
import { checkBundle, largestBundle } from '../../../tools/build/check.ts';
import { recorded } from '../../build/event.ts';

/** Milliseconds: a bound for machines that do other things too. */
const longest = 20_000;
const room = 'packages/controller/resync';

let folder: string;
let bundle: Bundle;
/** The code cache that the build makes. */
let cache: Buffer;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'knudge-bundles-'));
  [bundle] = await Promise.all([bundleService('pod-changed', folder), bundleLoader(folder), bundleCacheMaker(folder)]);
  const maker = spawnSync(process.execPath, [join(folder, 'code-cache.cjs')], { encoding: 'utf8', timeout: longest });
  assert.deepEqual([maker.status, maker.stderr], [0, '']);
  cache = readFileSync(cacheOf(bundle.file));
});

after(() => rmSync(folder, { recursive: true }));

const inputs = ({ metafile }: Bundle): readonly string[] =>
  Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));

test('a bundle holds its own function, no other one, and neither client nor certificate library', () => {
  assert.deepEqual(checkBundle(bundle), []);
  const own = inputs(bundle).filter((input) => /^functions\/(?!start\/|reconcile-all)/.test(input));
  assert.deepEqual(own, ['functions/pod-changed.ts']);
  for (const stranger of [
    '@kubernetes/client-node',
    '@peculiar/x509',
    'node_modules/thread-stream',
    'node_modules/on-exit-leak-free',
    'node_modules/@pinojs/redact',
    'node_modules/safe-stable-stringify',
    'packages/issuing/issue.ts',
  ]) {
    assert.equal(
      inputs(bundle).find((input) => input.includes(stranger)),
      undefined,
    );
  }
});

/** Bytes that a folder of the sources has in a bundle. */
const bytesOf = (folder: string, { metafile }: Bundle): number =>
  Object.values(metafile.outputs)
    .flatMap((output) => Object.entries(output.inputs))
    .reduce((sum, [input, { bytesInOutput }]) => sum + (input.startsWith(folder) ? bytesInOutput : 0), 0);

test('what a change wakes does not load the rounds of the resync, nor do those load what reconciles', async () => {
  const resync = await bundleService('resync-due', folder);
  for (const [own, folders] of [
    [bundle, [`${room}/page.ts`, `${room}/enter.ts`, `${room}/orphans.ts`]],
    [resync, ['packages/controller/reconcile/', 'packages/issuing/']],
  ] as const) {
    // An import of Node's own modules may be left of a file, and nothing else.
    for (const stranger of folders) assert.ok(bytesOf(stranger, own) < 50, `${own.name} holds ${stranger}`);
  }
  assert.ok(bytesOf('packages/controller/broker/', resync) > 1000);
  assert.ok(bytesOf('packages/controller/resync/page.ts', resync) > 1000);
  assert.ok(bytesOf('packages/controller/reconcile/', bundle) > 1000);
  assert.deepEqual(checkBundle(resync), []);
});

test('what makes certificates is a file of its own, which the function asks for by its name', async () => {
  const certificates = await bundleCertificates(folder);
  assert.ok(inputs(certificates).some((input) => input.includes('@peculiar/x509')));
  const asked = Object.values(bundle.metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path));
  assert.ok(asked.includes('./certificates.cjs'));
  const { issueAuthority } = createRequire(bundle.file)(
    './certificates.cjs',
  ) as typeof import('../../../packages/issuing/issue.ts');
  const [notBefore, notAfter] = ['2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'];
  const { certificate } = await issueAuthority({ commonName: 'bundled', notBefore, notAfter });
  assert.equal(new X509Certificate(certificate).subject, 'CN=bundled');
});

const outputs = (input: string, bytes: number): Pick<Bundle, 'name' | 'bytes' | 'metafile'> => ({
  name: 'pod-changed',
  bytes,
  metafile: {
    inputs: {},
    outputs: { out: { bytes, imports: [], exports: [], inputs: { [input]: { bytesInOutput: bytes } } } },
  },
});

for (const { when, input, bytes, problem } of [
  { when: 'exactly the limit is taken', input: 'functions/table.ts', bytes: largestBundle, problem: undefined },
  {
    when: 'one byte more is not',
    input: 'functions/table.ts',
    bytes: largestBundle + 1,
    problem: /^pod-changed is 293 KB/,
  },
  { when: 'the client', input: 'node_modules/@kubernetes/client-node/dist/a.js', bytes: 1, problem: /types only/ },
  { when: 'a package in a package', input: 'node_modules/a/node_modules/undici/b.js', bytes: 1, problem: /node:https/ },
]) {
  test(`the check of a build: ${when}`, () => {
    const problems = checkBundle(outputs(input, bytes));
    assert.equal(problems.length, problem === undefined ? 0 : 1);
    if (problem !== undefined) assert.match(problems[0] ?? '', problem);
  });
}

/** Nobody listens there: a function must start and be alive without an API server. */
const unreachable = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '9' };

/** On the error output, where V8 does not take a code cache. */
const slower = 'The code cache of pod-changed is not for this Node.js: it starts slower.\n';

for (const { when, content, says } of [
  { when: 'without a code cache', content: () => undefined, says: '' },
  { when: 'with the one that the build makes', content: () => cache, says: '' },
  { when: 'with a broken one', content: () => 'no cache of V8', says: slower },
  { when: 'with one that was cut off', content: () => cache.subarray(0, 1000), says: slower },
]) {
  test(`a bundle starts ${when}, is alive, answers an event and leaves with 0 on SIGTERM`, async () => {
    arrangeCache(content());
    const port = await freePort();
    const child = spawn(process.execPath, [join(folder, 'function.cjs'), 'pod-changed'], {
      env: { ...unreachable, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = child.stderr.toArray();
    try {
      await logged(child, 'listening');
      assert.equal((await fetch(`http://127.0.0.1:${String(port)}/health/liveness`)).status, 200);
      const { headers, body } = recorded('pod-changed/pod-add');
      const answer = await fetch(`http://127.0.0.1:${String(port)}/`, {
        method: 'POST',
        headers,
        body: new Uint8Array(body),
      });
      assert.equal(answer.status, 204);
      assert.equal(answer.headers.get('knudge-outcome'), 'ignored; reads=0; writes=0');
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit', { signal: AbortSignal.timeout(longest) }), [0, null]);
      assert.equal(Buffer.concat(await said).toString(), says);
    } finally {
      child.kill('SIGKILL');
    }
  });
}

for (const { what, text } of [
  { what: 'an answer', text: 'knudge-outcome' },
  { what: 'a call to the API server', text: 'Bearer ' },
]) {
  test(`a code cache holds what ${what} needs, not only what starting needs`, () => {
    assert.ok(cache.includes(text));
    // A text that stands in a function is there only once that function has been compiled.
    assert.ok(!scriptOf(bundle.file, undefined).createCachedData().includes(text));
  });
}

test('a stem that there is not ends with a sentence and 1', async () => {
  const child = spawn(process.execPath, [join(folder, 'function.cjs'), '../code-cache'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = child.stderr.toArray();
  assert.deepEqual(await once(child, 'exit', { signal: AbortSignal.timeout(longest) }), [1, null]);
  assert.match(String(Buffer.concat(await said)), /There is no function "\.\.\/code-cache"/);
});

function arrangeCache(content: Buffer | string | undefined): void {
  rmSync(cacheOf(bundle.file), { force: true });
  if (content !== undefined) writeFileSync(cacheOf(bundle.file), content);
}

/** Waits for a line of the log, bounded. */
async function logged({ stdout }: ChildProcess, message: string): Promise<void> {
  assert.ok(stdout);
  const deadline = AbortSignal.timeout(longest);
  for (let log = ''; !log.includes(message); ) log += String(await once(stdout, 'data', { signal: deadline }));
}
