import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { version } from '../../../packages/start/version.ts';
import { attest, sha256Of } from '../../../tools/image/attest.ts';
import { provenanceOf } from '../../../tools/image/provenance.ts';
import { readSigningKey } from '../../../tools/image/signing.ts';
import { textOf } from '../../house/files.ts';

const arch = { node: 'x64', debian: 'amd64', triplet: 'x86_64-linux-gnu', loader: '/lib64/ld.so' } as const;
const invocation = { id: 'one', startedOn: '2026-01-01T00:00:00.000Z', finishedOn: '2026-01-01T00:01:00.000Z' };
const parts = { bomFormat: 'CycloneDX', components: [] };

/** The commands of docs/image.md below a heading. */
function commandsBelow(heading: string): string {
  const [, text] =
    new RegExp(`## ${heading}\\n[^#]*?\`\`\`bash\\n(.*?)\`\`\``, 's').exec(textOf('docs/image.md')) ?? [];
  return text ?? assert.fail(`docs/image.md has no commands below ${heading}`);
}

/** A folder with an archive and a key, made by the commands of docs/image.md. */
function arrange(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-attest-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const make = commandsBelow('Sign').replace(/^npm run image .*$/m, '');
  execFileSync('bash', ['-euc', make], { cwd: folder, stdio: 'pipe' });
  writeFileSync(join(folder, `knudge-${version}-amd64.tar`), 'an archive');
  return folder;
}

function write(folder: string, key: KeyObject | undefined = keyIn(folder), isSigned = true) {
  const stem = join(folder, `knudge-${version}-amd64`);
  const archive = { name: `knudge-${version}-amd64.tar`, sha256: sha256Of(`${stem}.tar`) };
  const product = { digest: `sha256:${'c'.repeat(64)}`, archive };
  const origin = { createdAt: 0, revision: undefined };
  const provenance = provenanceOf(product, { arch, origin, parts, lockfile: 'e'.repeat(64), invocation });
  return attest({ stem, product, provenance, parts, key: isSigned ? key : undefined });
}

const keyIn = (folder: string): KeyObject | undefined => readSigningKey(join(folder, 'signing.pem'), {});

/** What openssl, which has not signed, says by the commands of docs/image.md. */
function verify(folder: string, what: 'provenance' | 'cdx') {
  const commands = commandsBelow('Verify with openssl').replace(/^what=.*$/m, `what=${what}`);
  const { status, stdout, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', commands], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 20_000,
  });
  return { status, said: `${stdout}${stderr}` };
}

for (const what of ['provenance', 'cdx'] as const) {
  test(`openssl takes the signature of ${what}, by the commands of docs/image.md`, (context) => {
    const folder = arrange(context);
    assert.equal(write(folder).signed.length, 2);
    const { status, said } = verify(folder, what);
    assert.match(said, /^Verified OK$/m);
    assert.equal(status, 0, said);
  });

  test(`openssl refuses ${what} with one flipped byte, of what is said, its signature or the archive`, (context) => {
    const folder = arrange(context);
    const file = join(folder, `knudge-${version}-amd64.${what}.sigstore.json`);
    const flip = (field: string, at: number): void => {
      const text = readFileSync(file, 'utf8');
      const [, value = ''] = new RegExp(`"${field}": "(.*)"`).exec(text) ?? [];
      const bytes = Buffer.from(value, 'base64');
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      writeFileSync(file, text.replace(value, bytes.toString('base64')));
    };
    for (const [field, at] of [
      ['payload', 0],
      ['payload', 100],
      ['sig', 40],
    ] as const) {
      write(folder);
      flip(field, at);
      const { status, said } = verify(folder, what);
      assert.doesNotMatch(said, /Verified OK/);
      assert.notEqual(status, 0, `${field} ${at}: ${said}`);
    }
    write(folder);
    writeFileSync(join(folder, `knudge-${version}-amd64.tar`), 'an archivf');
    assert.notEqual(verify(folder, what).status, 0);
  });
}

test('openssl refuses what another key has signed', (context) => {
  const folder = arrange(context);
  write(folder, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
  assert.notEqual(verify(folder, 'provenance').status, 0);
});

test('without a key nothing is signed, and what was signed of an earlier build goes', (context) => {
  const folder = arrange(context);
  const { signed } = write(folder);
  assert.ok(signed.every((file) => existsSync(file)));
  const unsigned = write(folder, undefined, false);
  assert.deepEqual(unsigned.signed, []);
  assert.ok(existsSync(unsigned.provenance));
  assert.ok(signed.every((file) => !existsSync(file)));
});

test('a key is that of a file, else that of IMAGE_SIGNING_KEY, and one that cosign would not take is refused', (context) => {
  const folder = arrange(context);
  const file = join(folder, 'signing.pem');
  const pem = readFileSync(file, 'utf8');
  assert.equal(readSigningKey(undefined, {}), undefined);
  assert.equal(readSigningKey(undefined, { IMAGE_SIGNING_KEY: '' }), undefined);
  assert.deepEqual(
    readSigningKey(file, {})?.export({ format: 'jwk' }),
    readSigningKey(undefined, { IMAGE_SIGNING_KEY: pem })?.export({ format: 'jwk' }),
  );
  const form = { format: 'pem', type: 'pkcs8' } as const;
  const wrong = {
    'a curve': generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export(form),
    'a sort': generateKeyPairSync('ed25519').privateKey.export(form),
    'a public key': readFileSync(join(folder, 'cosign.pub'), 'utf8'),
    'no key': 'secret words',
  };
  for (const [what, text] of Object.entries(wrong)) {
    const refused = ({ message }: Error) =>
      /docs\/image\.md says/.test(message) && !message.includes(String(text).trim());
    assert.throws(() => readSigningKey(undefined, { IMAGE_SIGNING_KEY: String(text) }), refused, what);
  }
  assert.throws(() => readSigningKey(join(folder, 'none.pem'), {}), /none\.pem cannot be read: ENOENT/);
});
