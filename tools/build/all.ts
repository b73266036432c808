import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processNames } from '../../functions/table.ts';
import {
  type Bundle,
  bundleCacheMaker,
  bundleCertificates,
  bundleConsole,
  bundleExpress,
  bundleLoader,
  bundlePlans,
  bundlePostgres,
  bundleService,
  bundleSource,
  bundleThread,
  bundleTokens,
} from './bundles.ts';
import { checkBundle } from './check.ts';
import { BuildError } from './errors.ts';

/** Bundles every function and what functions load into this folder, checks them, and writes beside them what is inside each. */
export async function bundleAll(folder: string): Promise<readonly Bundle[]> {
  for (const part of ['functions', 'meta']) {
    rmSync(join(folder, part), { recursive: true, force: true });
    mkdirSync(join(folder, part), { recursive: true });
  }
  const bundles = await Promise.all(processNames.map((name) => bundleService(name, folder)));
  const makers = [
    bundleSource,
    bundleCertificates,
    bundleTokens,
    bundlePlans,
    bundleThread,
    bundlePostgres,
    bundleExpress,
    bundleConsole,
    bundleLoader,
    bundleCacheMaker,
  ];
  const all = [...bundles, ...(await Promise.all(makers.map((make) => make(folder))))];
  for (const { name, metafile } of all) {
    writeFileSync(join(folder, 'meta', `${name}.json`), JSON.stringify(metafile));
  }
  const problems = bundles.flatMap(checkBundle);
  if (problems.length > 0) throw new BuildError(problems.join('\n'));
  return all;
}
