import { message } from '../../test/build/objects.ts';
import { messagesToPods, messageToPod, untilLineIsFree, untilQuiet } from '../../test/knative/latency.ts';
import { home, type Site } from '../../test/knative/site.ts';
import { kubectl } from '../../test/kube/kubectl.ts';
import type { Row } from '../report.ts';
import { median, pairedRatio } from '../statistics.ts';
import { bareName, timesRow } from './cold.ts';
import { podOfNobody, timeOf } from './requests.ts';

/** A Message at a time, each when the last is Processed and quiet, and a request to the bare server before each. */
export async function measureWarm(site: Site, gateway: string, count: number): Promise<readonly Row[]> {
  const bare = { host: gateway, port: 80, headers: { host: `${bareName}.${home}.svc.cluster.local` } };
  await Promise.all([timeOf(bare, podOfNobody), messagesToPods(site, 'default', { prefix: 'bench-first', count: 3 })]);
  const [toPod, beside]: [number[], number[]] = [[], []];
  for (let number = 0; number < count; number += 1) {
    beside.push(await timeOf(bare, podOfNobody));
    const name = `bench-warm-${String(number)}`;
    toPod.push(await messageToPod(site, 'default', name));
    await untilQuiet(site, 'default', name);
  }
  return [
    timesRow('node:http, bare, warm, by Kourier', beside, beside),
    timesRow('Message to Pod, warm', toPod, beside),
  ];
}

/** This many Messages by 16 writers, on a node that takes no Pods, until each has its Pod. Beside it the same Pods, made directly. */
export async function measureBurst(
  site: Site,
  { count, rounds }: { readonly count: number; readonly rounds: number },
): Promise<readonly Row[]> {
  const [node = ''] = (await kubectl('get', 'nodes', '--output=jsonpath={.items[*].metadata.name}')).stdout.split(' ');
  const [messages, direct]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    // The events of the last cleanup are still under way, and a sleeping function could not start on such a node.
    await untilLineIsFree(site, 'default', `bench-free-${String(round)}`);
    await messagesToPods(site, 'default', { prefix: `bench-before-${String(round)}`, count: 2 });
    await kubectl('cordon', node);
    try {
      messages.push(await burst(site, { kind: 'Message', prefix: `bench-burst-${String(round)}`, count, longestMs }));
      process.stderr.write(
        `burst round ${String(round + 1)} of ${String(rounds)}: ${messages.at(-1)?.toFixed(0) ?? ''} ms\n`,
      );
      direct.push(await burst(site, { kind: 'Pod', prefix: `msg-bench-direct-${String(round)}`, count, longestMs }));
    } finally {
      // Cleared first, because the node would start them all.
      try {
        await clear(site);
      } finally {
        await kubectl('uncordon', node);
      }
    }
  }
  const row = (name: string, values: readonly number[]): Row => ({
    name: `${String(count)} ${name}`,
    figures: {
      'min ms': Math.min(...values),
      'p50 ms': median(values),
      'max ms': Math.max(...values),
      '× direct': pairedRatio(values, direct),
    },
  });
  return [row('Messages at once, until each has its Pod', messages), row('Pods made directly', direct)];
}

const longestMs = 180_000;

interface Burst {
  readonly kind: 'Message' | 'Pod';
  readonly prefix: string;
  readonly count: number;
  readonly longestMs: number;
}

/** Milliseconds until this many Messages, made by 16 writers, have their Pods, or this many Pods are there. */
export async function burst({ api, list }: Site, { kind, prefix, count, longestMs }: Burst): Promise<number> {
  const began = performance.now();
  const path = kind === 'Pod' ? '/api/v1/namespaces/default/pods' : '/apis/myorg.dev/v1/namespaces/default/messages';
  let made = 0;
  const write = async (): Promise<void> => {
    while (made < count) {
      made += 1;
      const name = `${prefix}-${String(made)}`;
      const { status, body } = await api('POST', path, {
        body: kind === 'Pod' ? podOf(name) : message(name, 'at once', { namespace: 'default' }),
      });
      if (status !== 201) throw new Error(`${kind} ${name}: ${JSON.stringify(body)}`);
    }
  };
  await Promise.all(Array.from({ length: 16 }, write));
  const isOurs = (name: string): boolean => name.includes(prefix);
  while (performance.now() - began < longestMs) {
    const pods = await list('v1', 'Pod', 'default');
    if (pods.filter(({ metadata }) => isOurs(metadata.name)).length >= count) return performance.now() - began;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  throw new Error(`not ${String(count)} Pods after ${String(longestMs / 1000)} s`);
}

/** A Pod as a Message gets it, which no controller watches. */
function podOf(name: string): object {
  const container = { name: 'main', image: 'docker.io/library/busybox:1.37.0', command: ['/bin/sleep', '3600'] };
  const metadata = { name, namespace: 'default', labels: { 'knudge.dev/bench': 'yes' } };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { terminationGracePeriodSeconds: 0, containers: [container] },
  };
}

/** Removes what the bench has made. */
export async function clear({ api, list }: Site): Promise<void> {
  const path = '/apis/myorg.dev/v1/namespaces/default/messages';
  const messages = await list('myorg.dev/v1', 'Message', 'default');
  const ours = messages.filter(({ metadata }) => metadata.name.startsWith('bench-'));
  for (const { metadata } of ours) await api('DELETE', `${path}/${metadata.name}`);
  await kubectl(
    '--namespace=default',
    'delete',
    'pods',
    '--selector=knudge.dev/bench',
    '--wait=false',
    '--ignore-not-found',
  );
  for (let tries = 0; tries < 300; tries += 1) {
    const left = (await list('v1', 'Pod', 'default')).filter(({ metadata }) => metadata.name.startsWith('msg-bench-'));
    if (left.length === 0) return;
    await new Promise((resume) => setTimeout(resume, 500));
  }
  throw new Error('Pods of the bench are still there after 150 s: kubectl --namespace default get pods');
}
