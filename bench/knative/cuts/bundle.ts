import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ChangeStem } from '../../../functions/table.ts';
import { bundleCacheMaker, bundleCertificates, bundleChanges, bundleTokens } from '../../../tools/build/bundles.ts';

const run = promisify(execFile);

interface Kept {
  readonly files: readonly string[];
  /** In the form of a ConfigMap. */
  readonly binaryData: Readonly<Record<string, string>>;
}

/** The bundle of one process for these functions with its code cache, made as those of the image are. */
export async function bundleOfAll(name: string, stems: readonly ChangeStem[]): Promise<Kept> {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-bench-'));
  try {
    mkdirSync(join(folder, 'functions'));
    await bundleChanges(name, stems, folder);
    for (const make of [bundleCertificates, bundleTokens, bundleCacheMaker]) await make(folder);
    const flags = ['--predictable', '--min-semi-space-size=64'];
    await run(process.execPath, [...flags, join(folder, 'code-cache.cjs'), name, ...stems]);
    const files = [`${name}.cjs`, `${name}.cache`];
    const read = (file: string) => readFileSync(join(folder, 'functions', file)).toString('base64');
    return { files, binaryData: Object.fromEntries(files.map((file) => [file, read(file)])) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
