import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { loadArchive, saveImage } from '../../tools/control-plane/node/load-image.ts';
import { output } from '../../tools/debian/commands.ts';
import { knudgeImage } from '../../tools/knative/knudge.ts';

interface Descriptor {
  readonly digest: string;
  readonly size: number;
}

interface Manifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

interface Config {
  readonly rootfs: { readonly diff_ids: readonly string[] };
}

/** Makes the image of an older version known to the node: the present one with the older functions as its last layer. */
export async function loadOldImage(dir: string, { layer, name }: { layer: string; name: string }): Promise<void> {
  const draft = mkdtempSync(join(tmpdir(), 'knudge-old-'));
  try {
    const archive = join(draft, 'image.tar');
    saveImage(dir, `${knudgeImage.name}:${knudgeImage.tag}`, archive);
    const layout = join(draft, 'layout');
    mkdirSync(layout);
    output('tar', '--extract', `--file=${archive}`, `--directory=${layout}`);
    replaceLastLayer(layout, { layer, name });
    output('tar', '--create', `--file=${archive}`, `--directory=${layout}`, 'oci-layout', 'index.json', 'blobs');
    await loadArchive(dir, archive);
  } finally {
    rmSync(draft, { recursive: true });
  }
}

function replaceLastLayer(layout: string, { layer, name }: { layer: string; name: string }): void {
  const pathOf = (digest: string): string => join(layout, 'blobs/sha256', digest.slice('sha256:'.length));
  const read = <What>(path: string): What => JSON.parse(readFileSync(path, 'utf8')) as What;
  const blob = (content: Buffer): Descriptor => {
    const digest = digestOf(content);
    writeFileSync(pathOf(digest), content);
    return { digest, size: content.length };
  };
  const index = read<{ readonly manifests: readonly [Descriptor] }>(join(layout, 'index.json'));
  const [listed] = index.manifests;
  const manifest = read<Manifest>(pathOf(listed.digest));
  const config = read<Config>(pathOf(manifest.config.digest));
  const packed = readFileSync(layer);
  const diffIds = [...config.rootfs.diff_ids.slice(0, -1), digestOf(gunzipSync(packed))];
  const json = (value: object): Buffer => Buffer.from(JSON.stringify(value));
  const rootfs = { ...config.rootfs, diff_ids: diffIds };
  const layers = [...manifest.layers.slice(0, -1), { ...manifest.layers.at(-1), ...blob(packed) }];
  const newConfig = { ...manifest.config, ...blob(json({ ...config, rootfs })) };
  const made = blob(json({ ...manifest, layers, config: newConfig }));
  const annotations = { 'io.containerd.image.name': name };
  writeFileSync(join(layout, 'index.json'), json({ ...index, manifests: [{ ...listed, ...made, annotations }] }));
}

function digestOf(content: Buffer): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}
