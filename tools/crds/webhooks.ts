import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { cacheKey } from '../control-plane/cache.ts';
import { cachedBuild } from '../control-plane/cached-build.ts';
import { goVersion } from '../control-plane/go-tool.ts';

const here = import.meta.dirname;

/** The path of the program that main.go is, from the cache or built now, with progress on `log`. Throws ClusterError. */
export async function webhooksProgram(log: (line: string) => void): Promise<string> {
  const folder = await cachedBuild(
    {
      what: "Knative's webhooks",
      key: `webhooks-${cacheKey(here, [goVersion('1.25.0'), process.platform, process.arch])}`,
      expectation: 'The first time this takes one to four minutes on two cores, later nothing.',
      programs: { webhooks: { name: "Knative's webhooks", module: here, target: '.', ldflags: '', packages: 880 } },
    },
    log,
  );
  return join(folder, 'webhooks');
}

/** The faults that Knative's webhooks find in the objects of a YAML stream, one line each; the program is `webhooksProgram`. */
export function refusals(program: string, objects: string): readonly string[] {
  const { status, stdout, stderr, error } = spawnSync(program, { input: objects, encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0 && status !== 1) throw new Error(`the program of Knative's webhooks failed: ${stderr.trim()}`);
  return stdout.split('\n').filter((line) => line !== '');
}
