import { join } from 'node:path';
import { cacheKey } from '../control-plane/cache.ts';
import { cachedBuild } from '../control-plane/cached-build.ts';
import { goVersion } from '../control-plane/go-tool.ts';

const here = import.meta.dirname;

/** The path of an OpenTelemetry Collector, from the cache or built now, with progress on `log`. Throws ClusterError. */
export async function collectorProgram(log: (line: string) => void): Promise<string> {
  const folder = await cachedBuild(
    {
      what: 'the OpenTelemetry Collector',
      key: `collector-${cacheKey(here, [goVersion('1.25.0'), process.platform, process.arch])}`,
      expectation: 'The first time this takes two to four minutes on two cores, later nothing.',
      programs: {
        collector: { name: 'the OpenTelemetry Collector', module: here, target: '.', ldflags: '-s -w', packages: 900 },
      },
    },
    log,
  );
  return join(folder, 'collector');
}
