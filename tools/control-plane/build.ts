import { join } from 'node:path';
import { cacheKey } from './cache.ts';
import { cachedBuild } from './cached-build.ts';
import { goVersion } from './go-tool.ts';
import { readPins, versionStamps } from './pins.ts';

export type Programs = { kubestack: string; kwok: string };

const here = import.meta.dirname;

/**
 * The programs of the control plane, from the cache or built now, with progress on `log`. Throws ClusterError if Go is
 * missing or too old, if the cache folder cannot be written, or if the build fails.
 */
export async function builtPrograms(log: (line: string) => void): Promise<Programs> {
  const pins = readPins(here);
  const ldflags = versionStamps(pins.kubernetes);
  const folder = await cachedBuild(
    {
      what: 'the control plane',
      key: cacheKey(here, [goVersion(pins.go), process.platform, process.arch, ldflags]),
      expectation: 'The first time this takes 10 to 20 minutes on two cores and 4 GB of disk, later seconds.',
      programs: {
        kubestack: { name: 'kubestack (1 of 2)', module: here, target: '.', ldflags, packages: 2476 },
        kwok: {
          name: 'kwok (2 of 2)',
          module: join(here, 'kwok'),
          target: 'sigs.k8s.io/kwok/cmd/kwok',
          ldflags: '',
          packages: 975,
        },
      },
    },
    log,
  );
  return { kubestack: join(folder, 'kubestack'), kwok: join(folder, 'kwok') };
}
