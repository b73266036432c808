import { home, type Site } from '../../test/knative/site.ts';
import type { Row } from '../report.ts';
import { median, pairedRatio, shuffled } from '../statistics.ts';
import { bareName } from './cold.ts';
import { podOfNobody, quantile, type Target, timeOf, timesOf } from './requests.ts';
import { addressOf, makeBroker, makeTrigger, podOf, removeBroker } from './way.ts';

interface Stage {
  readonly name: string;
  readonly target: Target;
}

/** The same event to the same function by ever longer ways, and to the bare server by the ways that it has too. */
export async function measureStages(
  site: Site,
  gateway: string,
  { rounds, count }: { readonly rounds: number; readonly count: number },
): Promise<readonly Row[]> {
  await makeBroker(site);
  try {
    const taken = new Map<string, (readonly number[])[]>();
    const all = await stagesOf(site, gateway);
    await measure(all, taken, { rounds, count });
    await makeTrigger(site, 'bench-log');
    const withLog = [
      { name: 'ingress, a Broker with that Trigger and the log’s', target: await ingress(site, 'bench') },
    ];
    await measure([...all.slice(0, 1), ...withLog], taken, { rounds, count });
    const base = (taken.get(all[0]?.name ?? '') ?? []).map((values) => median(values));
    return [...taken].map(([name, values]) => {
      const own = values.map((each) => median(each));
      const beside = base.slice(-own.length);
      return {
        name: `warm: ${name}`,
        figures: {
          'p50 ms': median(own),
          'p99 ms': median(values.map((each) => quantile(each, 0.99))),
          '× bare': pairedRatio(own, beside),
        },
      };
    });
  } finally {
    await removeBroker();
  }
}

async function stagesOf(site: Site, gateway: string): Promise<readonly Stage[]> {
  const ways = async (service: string): Promise<readonly Stage[]> => {
    const host = `${service}.${home}.svc.cluster.local`;
    await timeOf({ host: gateway, port: 80, headers: { host } }, podOfNobody);
    const { ip, revision } = await podOf(site, service);
    const knows = { host, 'knative-serving-namespace': home, 'knative-serving-revision': revision };
    const activator = await addressOf(site, 'knative-serving', 'activator-service');
    const who = service === bareName ? 'node:http, bare' : service;
    return [
      { name: `${who}, its own port`, target: { host: ip, port: 8080 } },
      { name: `${who}, queue-proxy`, target: { host: ip, port: 8012, headers: { host } } },
      { name: `${who}, activator`, target: { host: activator, port: 80, headers: knows } },
      { name: `${who}, Kourier`, target: { host: gateway, port: 80, headers: { host } } },
    ];
  };
  return [
    ...(await ways(bareName)),
    ...(await ways('pod-changed')),
    { name: 'ingress, a Broker with one Trigger', target: await ingress(site, 'bench') },
    { name: 'ingress, Knudge’s Broker', target: await ingress(site, 'knudge') },
  ];
}

/** It answers when all Triggers are done: dispatcher, filter, and the function by Kourier and all that is behind it. */
async function ingress(site: Site, broker: string): Promise<Target> {
  const host = await addressOf(site, 'knative-eventing', 'broker-ingress');
  return { host, port: 80, path: `/${home}/${broker}` };
}

async function measure(
  stages: readonly Stage[],
  taken: Map<string, (readonly number[])[]>,
  { rounds, count }: { readonly rounds: number; readonly count: number },
): Promise<void> {
  for (const { target } of stages) await timesOf(target, podOfNobody, 5);
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, target } of shuffled(stages)) {
      const values = await timesOf(target, podOfNobody, count);
      taken.set(name, [...(taken.get(name) ?? []), values]);
    }
  }
}
