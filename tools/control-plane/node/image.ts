import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { output } from '../../debian/commands.ts';

/** An image of one layer, made of files of this machine. */
export type LocalImage = {
  name: string;
  /** Programs and libraries, by their paths in the image. */
  files: Readonly<Record<string, string>>;
  /** What it runs unless a Pod says otherwise. */
  command?: readonly string[];
};

const reproducible = ['--owner=0', '--group=0', '--numeric-owner', '--mtime=@0', '--sort=name'];
/** That of Docker for images which set none. */
const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Writes an image as `docker save` does, so that it is imported without a registry. */
export function writeImage(image: LocalImage, archive: string): void {
  const draft = mkdtempSync(join(tmpdir(), 'knudge-image-'));
  try {
    const root = join(draft, 'root');
    for (const [path, from] of Object.entries({ ...image.files })) place(from, join(root, path));
    mkdirSync(join(root, 'tmp'));
    chmodSync(join(root, 'tmp'), 0o1777);
    output('tar', ...reproducible, '-C', root, '-cf', join(draft, 'layer.tar'), '.');
    rmSync(root, { recursive: true });
    const layer = createHash('sha256')
      .update(readFileSync(join(draft, 'layer.tar')))
      .digest('hex');
    writeFileSync(join(draft, 'config.json'), JSON.stringify(imageConfig(image, layer)));
    const manifest = [{ Config: 'config.json', RepoTags: [image.name], Layers: ['layer.tar'] }];
    writeFileSync(join(draft, 'manifest.json'), JSON.stringify(manifest));
    output('tar', ...reproducible, '-C', draft, '-cf', archive, 'config.json', 'layer.tar', 'manifest.json');
  } finally {
    rmSync(draft, { recursive: true });
  }
}

function place(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, 0o755);
}

/** As Docker's image specification v1.2 has it. */
function imageConfig({ command = [] }: LocalImage, layer: string): object {
  return {
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: { Env: [`PATH=${searchPath}`], Cmd: command },
    rootfs: { type: 'layers', diff_ids: [`sha256:${layer}`] },
  };
}
