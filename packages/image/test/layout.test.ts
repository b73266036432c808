import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Architecture } from '../architecture.ts';
import { packLayout, writeLayout } from '../layout.ts';

const arch: Architecture = { node: 'x64', debian: 'amd64', triplet: 'x86_64-linux-gnu', loader: '/lib64/ld.so' };
const origin = { createdAt: 1_700_000_000, revision: 'abc' };
const about = {
  repository: 'demo',
  version: '1.2.3',
  title: 'demo',
  description: 'A demo',
  license: undefined,
  madeBy: 'npx knudge image',
};
const plans = [
  { name: 'base', paths: ['etc'] },
  { name: 'functions', paths: ['app'] },
];

function temporaryFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-layout-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Files of the same names and contents, written in this order at this time. */
function layOut(root: string, names: readonly string[], time: number): void {
  for (const name of names) {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), `the content of ${name}`);
    utimesSync(join(root, name), time, time);
  }
}

const names = ['etc/passwd', 'app/function.cjs', 'app/functions/b.cjs', 'app/functions/a.cjs'];
const sha256 = (content: Buffer): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;

test('the same files are the same image, whenever and in whatever order they were written', async (context) => {
  const folder = temporaryFolder(context);
  layOut(join(folder, 'one'), names, 1);
  layOut(join(folder, 'two'), names.toReversed(), 1_000_000);
  const [one, two] = await Promise.all(
    ['one', 'two'].map((name) =>
      writeLayout(join(folder, `${name}.layout`), join(folder, name), { about, arch, origin, plans }),
    ),
  );
  assert.equal(one?.digest, two?.digest);
  const archives = ['one', 'two'].map((name) => {
    packLayout(join(folder, `${name}.layout`), join(folder, `${name}.tar`), origin);
    return sha256(readFileSync(join(folder, `${name}.tar`)));
  });
  assert.equal(archives[0], archives[1]);
  writeFileSync(join(folder, 'two/app/functions/a.cjs'), 'something else');
  const other = await writeLayout(join(folder, 'other'), join(folder, 'two'), { about, arch, origin, plans });
  assert.notEqual(other.digest, one?.digest);
  assert.equal(other.layers[0]?.digest, one?.layers[0]?.digest);
});

test('each blob of a layout is what its name says, and each layer what the configuration says of it', async (context) => {
  const folder = temporaryFolder(context);
  layOut(join(folder, 'root'), names, 1);
  chmodSync(join(folder, 'root/app/function.cjs'), 0o640);
  const { digest } = await writeLayout(join(folder, 'layout'), join(folder, 'root'), { about, arch, origin, plans });
  const blobs = join(folder, 'layout/blobs/sha256');
  for (const name of readdirSync(blobs)) assert.equal(sha256(readFileSync(join(blobs, name))), `sha256:${name}`);
  const blob = (of: string): Buffer => readFileSync(join(blobs, of.slice('sha256:'.length)));
  const index = JSON.parse(readFileSync(join(folder, 'layout/index.json'), 'utf8')) as Manifest;
  assert.deepEqual(
    index.manifests.map((each) => [each.digest, each.size]),
    [[digest, blob(digest).length]],
  );
  const manifest = JSON.parse(blob(digest).toString()) as Manifest;
  const { rootfs, config, created } = JSON.parse(blob(manifest.config.digest).toString()) as Config;
  assert.equal(created, '2023-11-14T22:13:20Z');
  assert.equal(config.User, '65532:65532');
  assert.deepEqual(
    manifest.layers.map((layer) => sha256(gunzipSync(blob(layer.digest)))),
    rootfs.diff_ids,
  );
  writeFileSync(join(folder, 'layer.tar'), gunzipSync(blob(manifest.layers[1]?.digest ?? '')));
  const list = execFileSync('tar', ['--numeric-owner', '--utc', '-tvf', join(folder, 'layer.tar')]).toString();
  assert.match(list, /^-rw-r----- 0\/0 +\d+ 2023-11-14 22:13 app\/function\.cjs$/m);
});

interface Descriptor {
  readonly digest: string;
  readonly size: number;
}

interface Manifest {
  readonly manifests: readonly Descriptor[];
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

interface Config {
  readonly created: string;
  readonly config: { readonly User: string };
  readonly rootfs: { readonly diff_ids: readonly string[] };
}
