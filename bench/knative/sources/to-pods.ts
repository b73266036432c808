import { allReady, apply, goBack, type Parts } from '../../../test/knative/installed.ts';
import { messagesToPods, untilLineIsFree } from '../../../test/knative/latency.ts';
import { home, type Site } from '../../../test/knative/site.ts';
import { kubectl } from '../../../test/kube/kubectl.ts';
import type { Row } from '../../report.ts';
import { median, pairedRatio } from '../../statistics.ts';
import { burst, clear } from '../warm.ts';

const longestMs = 600_000;
/** The goal for the whole way, by the default Broker and the functions. */
const mostOfUsual = 0.33;
const own: Parts = { resources: ['deploy/overlays/source'] };
const inHome = ['--namespace', home];

/** Messages at once until each has its Pod, through a whole installation, with each source in turns; the Pods do not start. */
export async function measureToPods(
  site: Site,
  { rounds, counts }: { readonly rounds: number; readonly counts: readonly number[] },
): Promise<readonly Row[]> {
  const [node = ''] = (await kubectl('get', 'nodes', '--output=jsonpath={.items[*].metadata.name}')).stdout.split(' ');
  const times = new Map(counts.map((count) => [count, { usual: [] as number[], ours: [] as number[] }]));
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ['usual', 'ours'] as const) {
      if (name === 'ours') await changeOver();
      try {
        for (const count of counts) {
          const ms = await once(site, { node, count, prefix: `bench-${name}-${String(round)}-${String(count)}` });
          process.stderr.write(`source-to-pod: ${name}: ${String(count)}: ${(ms / 1000).toFixed(1)} s\n`);
          times.get(count)?.[name].push(ms / 1000);
        }
      } finally {
        if (name === 'ours') await goBack(own);
      }
    }
  }
  return [...times].flatMap(([count, { usual, ours }]) => {
    const name = `sources: ${String(count)} Messages at once until each has its Pod`;
    const ratio = pairedRatio(ours, usual);
    return [
      { name: `${name}: ApiServerSource`, figures: { s: median(usual), n: usual.length } },
      {
        name: `${name}: ours`,
        figures: { s: median(ours), '× usual': ratio, n: ours.length },
        goal: { value: ratio, most: mostOfUsual, tolerance: 0 },
      },
    ];
  });
}

/** Changes the source as docs/source.md describes it. */
async function changeOver(): Promise<void> {
  await apply(own);
  await kubectl(...inHome, 'delete', 'apiserversources', '--all', '--timeout=60s');
  await kubectl(...inHome, 'delete', 'triggers.eventing.knative.dev', 'source-restarted', '--ignore-not-found');
  await allReady();
}

async function once(
  site: Site,
  { node, count, prefix }: { readonly node: string; readonly count: number; readonly prefix: string },
): Promise<number> {
  await untilLineIsFree(site, 'default', `${prefix}-free`);
  // A sleeping function could not start on a node that takes no Pods.
  await messagesToPods(site, 'default', { prefix: `${prefix}-before`, count: 2 });
  await kubectl('cordon', node);
  try {
    return await burst(site, { kind: 'Message', prefix: `${prefix}-at-once`, count, longestMs });
  } finally {
    // Cleared first, because the node would start them all.
    try {
      await clear(site);
    } finally {
      await kubectl('uncordon', node);
    }
  }
}
