import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { BuildError } from './errors.ts';

/** A layer of an image, as a file that is named for its digest. */
export interface Layer {
  readonly digest: string;
  readonly size: number;
  /** The digest of the unpacked content. */
  readonly diffId: string;
  readonly unpacked: number;
}

/** Options with which the same files give the same bytes, with any owners and times. */
export function tarOptions(createdAt: number): readonly string[] {
  const times = [`--mtime=@${String(createdAt)}`, '--format=gnu'];
  return ['--create', '--sort=name', '--owner=0', '--group=0', '--numeric-owner', ...times];
}

interface Packed {
  readonly root: string;
  /** In the root: files, and folders with all that is in them. */
  readonly paths: readonly string[];
  readonly createdAt: number;
}

/** Packs these paths into a layer in this folder. */
export async function writeLayer(folder: string, { root, paths, createdAt }: Packed): Promise<Layer> {
  const tar = spawn('tar', [...tarOptions(createdAt), `--directory=${root}`, ...paths], {
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const complaints = tar.stderr.toArray();
  const ended = new Promise<number | null>((done, failed) => void tar.once('close', done).once('error', failed));
  const [plain, zipped] = [sum(), sum()];
  const draft = join(folder, `draft-${paths.join('-').replaceAll('/', '-')}`);
  await pipeline(tar.stdout, plain.through, createGzip({ level: 9 }), zipped.through, createWriteStream(draft));
  if ((await ended) !== 0) throw new BuildError(`tar failed: ${Buffer.concat(await complaints).toString()}`);
  const layer = { diffId: plain.digest(), unpacked: plain.size(), digest: zipped.digest(), size: zipped.size() };
  renameSync(draft, join(folder, layer.digest.slice('sha256:'.length)));
  return layer;
}

/** Passes everything through and computes its digest. */
function sum() {
  const hash = createHash('sha256');
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return { through, size: () => bytes, digest: () => `sha256:${hash.digest('hex')}` };
}
