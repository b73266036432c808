import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from './architecture.ts';
import { type About, entrypoint, environment, labelsOf, type Origin, port, timeOf, userAndGroup } from './config.ts';
import { output } from './debian/commands.ts';
import { type Layer, tarOptions, writeLayer } from './layer.ts';

/** A planned layer: its name for people, and its paths in the root. */
export interface LayerPlan {
  readonly name: string;
  readonly paths: readonly string[];
}

export interface ImageOptions {
  readonly about: About;
  readonly arch: Architecture;
  readonly origin: Origin;
  readonly plans: readonly LayerPlan[];
}

export interface WrittenImage {
  /** The digest of the image's manifest, by which it is pulled. */
  readonly digest: string;
  readonly layers: readonly (Layer & Pick<LayerPlan, 'name'>)[];
}

const media = (what: string): string => `application/vnd.oci.image.${what}`;

/** Writes the root as an image into a folder, in the OCI's image layout. */
export async function writeLayout(folder: string, root: string, options: ImageOptions): Promise<WrittenImage> {
  const { about, arch, origin, plans } = options;
  const blobs = join(folder, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const layers = [];
  for (const { name, paths } of plans) {
    layers.push({ name, ...(await writeLayer(blobs, { root, paths, createdAt: origin.createdAt })) });
  }
  const blob = (mediaType: string, content: object) => {
    const text = JSON.stringify(content);
    const hash = createHash('sha256').update(text).digest('hex');
    writeFileSync(join(blobs, hash), text);
    return { mediaType, digest: `sha256:${hash}`, size: Buffer.byteLength(text) };
  };
  const config = blob(media('config.v1+json'), configOf(layers, options));
  const manifest = blob(media('manifest.v1+json'), {
    schemaVersion: 2,
    mediaType: media('manifest.v1+json'),
    config,
    layers: layers.map(({ digest, size }) => ({ mediaType: media('layer.v1.tar+gzip'), digest, size })),
    annotations: labelsOf(about, origin),
  });
  const write = (name: string, content: object): void => writeFileSync(join(folder, name), JSON.stringify(content));
  write('oci-layout', { imageLayoutVersion: '1.0.0' });
  write('index.json', {
    schemaVersion: 2,
    mediaType: media('index.v1+json'),
    manifests: [{ ...manifest, platform: platformOf(arch), annotations: namesOf(about) }],
  });
  // The file that Docker read before it knew layouts.
  const path = ({ digest }: { readonly digest: string }): string => `blobs/sha256/${digest.slice('sha256:'.length)}`;
  write('manifest.json', [
    { Config: path(config), RepoTags: [`${about.repository}:${about.version}`], Layers: layers.map(path) },
  ]);
  return { digest: manifest.digest, layers };
}

/** Packs a layout into one file. */
export function packLayout(folder: string, archive: string, { createdAt }: Origin): void {
  output('tar', ...tarOptions(createdAt), '--mode=u=rwX,go=rX', `--directory=${folder}`, `--file=${archive}`, '.');
}

const platformOf = ({ debian }: Architecture) => ({ architecture: debian, os: 'linux' });

/** The second is the name for containerd. */
const namesOf = ({ repository, version }: About) => ({
  'org.opencontainers.image.ref.name': version,
  'io.containerd.image.name': `docker.io/${repository.includes('/') ? '' : 'library/'}${repository}:${version}`,
});

function configOf(layers: WrittenImage['layers'], { about, arch, origin }: ImageOptions): object {
  const created = timeOf(origin.createdAt);
  return {
    created,
    ...platformOf(arch),
    config: {
      User: userAndGroup,
      ExposedPorts: { [`${String(port)}/tcp`]: {} },
      Env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      Entrypoint: entrypoint,
      WorkingDir: '/',
      Labels: labelsOf(about, origin),
    },
    rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ name }) => ({ created, created_by: about.madeBy, comment: name })),
  };
}
