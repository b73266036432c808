import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { version } from '../../src/version.ts';
import { thisArchitecture } from './architecture.ts';
import type { Origin } from './config.ts';
import { packLayout, type WrittenImage, writeLayout } from './layout.ts';
import { layRoot, plans } from './root.ts';

export interface BuiltImage extends WrittenImage {
  /** One file with all of it. */
  readonly archive: string;
  /** The list of its parts. */
  readonly sbom: string;
  readonly parts: object;
}

interface BuildOptions {
  readonly origin: Origin;
  readonly log: (line: string) => void;
  /** What is done with the layout before it goes. */
  readonly use?: (layout: string) => Promise<void>;
}

/** Builds the image into this folder. Throws BuildError or ClusterError with a sentence where that does not work. */
export async function buildImage(folder: string, { origin, log, use }: BuildOptions): Promise<BuiltImage> {
  const arch = thisArchitecture();
  mkdirSync(folder, { recursive: true });
  const draft = mkdtempSync(join(tmpdir(), 'knudge-image-'));
  try {
    const [root, layout] = [join(draft, 'root'), join(draft, 'layout')];
    const parts = await layRoot(root, { arch, origin, log });
    log('Packing it.');
    const written = await writeLayout(layout, root, { arch, origin, plans });
    const archive = join(folder, `knudge-${version}-${arch.debian}.tar`);
    const sbom = join(folder, `knudge-${version}-${arch.debian}.cdx.json`);
    packLayout(layout, archive, origin);
    writeFileSync(sbom, `${JSON.stringify(parts, null, 2)}\n`);
    await use?.(layout);
    return { ...written, archive, sbom, parts };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
