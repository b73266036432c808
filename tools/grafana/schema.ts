import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { cacheKey } from '../control-plane/cache.ts';
import { cachedBuild } from '../control-plane/cached-build.ts';
import { goVersion } from '../control-plane/go-tool.ts';

const here = import.meta.dirname;

/** The path of the program that main.go is, from the cache or built now, with progress on `log`. Throws ClusterError. */
export async function schemaProgram(log: (line: string) => void): Promise<string> {
  const folder = await cachedBuild(
    {
      what: "Grafana's schema of dashboards",
      key: `grafana-${cacheKey(here, [goVersion('1.25.0'), process.platform, process.arch])}`,
      expectation: 'The first time this takes up to a minute on two cores, later nothing.',
      programs: {
        schema: { name: "Grafana's schema of dashboards", module: here, target: '.', ldflags: '', packages: 114 },
      },
    },
    log,
  );
  return join(folder, 'schema');
}

/** What Grafana's schema objects to in these files, one line each; the program is `schemaProgram`. */
export function objections(program: string, files: readonly string[]): readonly string[] {
  const { status, stdout, stderr, error } = spawnSync(program, files, { encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0 && status !== 1) throw new Error(`the program of Grafana's schema failed: ${stderr.trim()}`);
  return stdout.split('\n').filter((line) => line !== '');
}
