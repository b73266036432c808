import { join } from 'node:path';
import { cacheKey } from '../control-plane/cache.ts';
import { cachedBuild } from '../control-plane/cached-build.ts';
import { goVersion } from '../control-plane/go-tool.ts';

const here = import.meta.dirname;

/** The path of the Prometheus Operator, from the cache or built now, with progress on `log`. Throws ClusterError. */
export async function prometheusOperatorProgram(log: (line: string) => void): Promise<string> {
  const folder = await cachedBuild(
    {
      what: 'the Prometheus Operator',
      key: `prometheus-operator-${cacheKey(here, [goVersion('1.25.0'), process.platform, process.arch])}`,
      expectation: 'The first time this takes two to four minutes on two cores, later nothing.',
      programs: {
        operator: {
          name: 'the Prometheus Operator',
          module: here,
          target: 'github.com/prometheus-operator/prometheus-operator/cmd/operator',
          ldflags: '',
          packages: 1022,
        },
      },
    },
    log,
  );
  return join(folder, 'operator');
}
