import { join } from 'node:path';
import { cacheKey } from '../cache.ts';
import { cachedBuild } from '../cached-build.ts';
import { goVersion } from '../go-tool.ts';
import { readPins, versionStamps } from '../pins.ts';

const here = import.meta.dirname;

/** The program with kubelet and kube-proxy, from the cache or built now. Throws ClusterError as `builtPrograms` does. */
export async function builtKubenode(log: (line: string) => void): Promise<string> {
  const pins = readPins(join(here, '..'));
  const ldflags = versionStamps(pins.kubernetes);
  const folder = await cachedBuild(
    {
      what: 'kubelet and kube-proxy',
      key: `node-${cacheKey(here, [goVersion(pins.go), process.platform, process.arch, ldflags])}`,
      expectation: 'After the control plane this takes one to four minutes the first time, later seconds.',
      programs: { kubenode: { name: 'kubenode', module: here, target: '.', ldflags, packages: 1770 } },
    },
    log,
  );
  return join(folder, 'kubenode');
}
