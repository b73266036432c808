import { type KeyObject, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { thisArchitecture } from '../../packages/image/architecture.ts';
import type { Origin } from '../../packages/image/config.ts';
import { packLayout, type WrittenImage, writeLayout } from '../../packages/image/layout.ts';
import { version } from '../../packages/start/version.ts';
import { type Attestations, attest, sha256Of } from './attest.ts';
import { about } from './config.ts';
import { provenanceOf } from './provenance.ts';
import { layRoot, plans } from './root.ts';

export interface BuiltImage extends WrittenImage, Attestations {
  /** One file with all of it. */
  readonly archive: string;
  /** The list of its parts. */
  readonly sbom: string;
  readonly parts: object;
}

interface BuildOptions {
  readonly origin: Origin;
  readonly log: (line: string) => void;
  /** The key for the attestations; without one they are not signed. */
  readonly key?: KeyObject | undefined;
  /** Called with the layout before it is removed. */
  readonly use?: (layout: string) => Promise<void>;
}

const lockfile = join(import.meta.dirname, '../../package-lock.json');

/** Builds the image into this folder. Throws BuildError or ClusterError with a sentence if that fails. */
export async function buildImage(folder: string, { origin, log, key, use }: BuildOptions): Promise<BuiltImage> {
  const arch = thisArchitecture();
  const startedOn = new Date().toISOString();
  mkdirSync(folder, { recursive: true });
  const draft = mkdtempSync(join(tmpdir(), 'knudge-image-'));
  try {
    const [root, layout] = [join(draft, 'root'), join(draft, 'layout')];
    const parts = await layRoot(root, { arch, origin, log });
    log('Packing it.');
    const written = await writeLayout(layout, root, { about, arch, origin, plans });
    const stem = join(folder, `knudge-${version}-${arch.debian}`);
    const [archive, sbom] = [`${stem}.tar`, `${stem}.cdx.json`];
    packLayout(layout, archive, origin);
    writeFileSync(sbom, `${JSON.stringify(parts, null, 2)}\n`);
    const product = { ...written, archive: { name: basename(archive), sha256: sha256Of(archive) } };
    const invocation = { id: randomUUID(), startedOn, finishedOn: new Date().toISOString() };
    const provenance = provenanceOf(product, { arch, origin, parts, lockfile: sha256Of(lockfile), invocation });
    const attestations = attest({ stem, product, provenance, parts, key });
    await use?.(layout);
    return { ...written, ...attestations, archive, sbom, parts };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
