import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { output } from '../../debian/commands.ts';

/** An image of one layer, made of files of this machine. */
export type LocalImage = {
  name: string;
  /** Programs and libraries, by their paths in the image. */
  files: Readonly<Record<string, string>>;
  /** The command, unless a Pod has another. */
  command?: readonly string[];
  /** The entrypoint, which stands before the arguments of a Pod or of `command`. */
  entrypoint?: readonly string[];
  /** User and group by number. Root if absent. */
  user?: string;
  env?: Readonly<Record<string, string>>;
};

const reproducible = ['--owner=0', '--group=0', '--numeric-owner', '--mtime=@0', '--sort=name'];
/** Docker's default for images that set none. */
const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Writes images into one archive as `docker save` does, so that they are imported without a registry. The draft lies
 * beside the archive, where there is room for it.
 */
export function writeImages(images: readonly LocalImage[], archive: string): void {
  const draft = mkdtempSync(`${archive}.draft-`);
  try {
    const manifest = images.map((image, index) => writeParts(image, draft, String(index)));
    writeFileSync(join(draft, 'manifest.json'), JSON.stringify(manifest));
    output('tar', ...reproducible, '-C', draft, '-cf', archive, '.');
  } finally {
    rmSync(draft, { recursive: true });
  }
}

/** Writes layer and configuration of an image into a folder of the draft; returns its row in the manifest. */
function writeParts(image: LocalImage, draft: string, name: string): object {
  const folder = join(draft, name);
  const root = join(folder, 'root');
  const layer = join(folder, 'layer.tar');
  mkdirSync(join(root, 'tmp'), { recursive: true });
  chmodSync(join(root, 'tmp'), 0o1777);
  for (const [path, from] of Object.entries(image.files)) place(from, join(root, path));
  output('tar', ...reproducible, '-C', root, '-cf', layer, '.');
  rmSync(root, { recursive: true });
  const digest = createHash('sha256').update(readFileSync(layer)).digest('hex');
  writeFileSync(join(folder, 'config.json'), JSON.stringify(imageConfig(image, digest)));
  return { Config: `${name}/config.json`, RepoTags: [image.name], Layers: [`${name}/layer.tar`] };
}

function place(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  chmodSync(to, 0o755);
}

/** As Docker's image specification v1.2 has it. */
function imageConfig({ command = [], entrypoint, user, env }: LocalImage, layer: string): object {
  const variables = Object.entries({ PATH: searchPath, ...env }).map(([name, value]) => `${name}=${value}`);
  return {
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: {
      Env: variables,
      Cmd: command,
      ...(entrypoint && { Entrypoint: entrypoint }),
      ...(user && { User: user }),
    },
    rootfs: { type: 'layers', diff_ids: [`sha256:${layer}`] },
  };
}
