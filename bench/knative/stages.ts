import { messagesToPods } from '../../test/knative/latency.ts';
import { home, type Site } from '../../test/knative/site.ts';
import type { Row } from '../report.ts';
import { median, pairedRatio, shuffled } from '../statistics.ts';
import { bareName } from './cold.ts';
import { eventOf, podOfNobody, quantile, type Sent, type Target, timeOf, timesOf } from './requests.ts';
import { measureSource } from './source.ts';
import { addressOf, makeBroker, makeTrigger, pathOfTrigger, podOf, removeBroker } from './way.ts';

/** The Service that gets the events of unrelated Pods. */
const shared = 'distributed-service';
const podPath = '/pod-changed';

interface Stage {
  readonly name: string;
  readonly target: Target;
  /** An unrelated Pod if absent. */
  readonly sent?: Sent;
}

interface Size {
  readonly rounds: number;
  readonly count: number;
}

/** The same event to the same function by ever longer ways, and to the bare server by those ways that it has too. */
export async function measureStages(site: Site, gateway: string, { rounds, count }: Size): Promise<readonly Row[]> {
  await makeBroker(site);
  try {
    const taken = new Map<string, (readonly number[])[]>();
    // Knative does not count requests that are sent to a port itself, and the windows are six seconds.
    const keepAwake = () =>
      Promise.all([bareName, shared].map((name) => timeOf(byGateway(gateway, name), podOfNobody)));
    const sent = await messageAsItIs(site);
    const all = await stagesOf(site, gateway, sent);
    await measure(all, taken, { rounds, count, keepAwake });
    await makeTrigger(site, 'bench-log');
    const withLog = [
      { name: 'ingress, a Broker with that Trigger and the log’s', target: await ingress(site, 'bench') },
    ];
    await measure([...all.slice(0, 1), ...withLog], taken, { rounds, count, keepAwake });
    const bySource = await measureSource(site, { rounds, count: Math.ceil(count / 4) });
    const base = (taken.get(all[0]?.name ?? '') ?? []).map((values) => median(values));
    const rows = [...taken].map(([name, values]): Row => {
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
    return [...rows, ...bySource];
  } finally {
    await removeBroker();
  }
}

async function stagesOf(site: Site, gateway: string, sent: Sent): Promise<readonly Stage[]> {
  const ways = async (service: string): Promise<readonly Stage[]> => {
    const host = `${service}.${home}.svc.cluster.local`;
    await timeOf(byGateway(gateway, service), podOfNobody);
    const { ip, revision } = await podOf(site, service);
    const knows = { host, 'knative-serving-namespace': home, 'knative-serving-revision': revision };
    const activator = await addressOf(site, 'knative-serving', 'activator-service');
    const [who, path] = service === bareName ? ['node:http, bare', '/'] : [service, podPath];
    return [
      { name: `${who}, its own port`, target: { host: ip, port: 8080, path } },
      { name: `${who}, queue-proxy`, target: { host: ip, port: 8012, path, headers: { host } } },
      { name: `${who}, activator`, target: { host: activator, port: 80, path, headers: knows } },
      { name: `${who}, Kourier`, target: byGateway(gateway, service) },
    ];
  };
  return [
    ...(await ways(bareName)),
    ...(await ways(shared)),
    { name: 'filter that refuses it', target: await filter(site, 'message-changed') },
    { name: 'filter, and by Kourier to the function', target: await filter(site, 'bench-function') },
    { name: 'channel (dispatcher) of a Broker with one Trigger', target: await channel(site, 'bench') },
    { name: 'ingress, a Broker with one Trigger', target: await ingress(site, 'bench') },
    { name: 'channel (dispatcher) of Knudge’s Broker', target: await channel(site, 'knudge') },
    { name: 'ingress, Knudge’s Broker', target: await ingress(site, 'knudge') },
    {
      name: 'ingress, Knudge’s Broker, a Message that is as it should be',
      target: await ingress(site, 'knudge'),
      sent,
    },
  ];
}

function byGateway(gateway: string, service: string): Target {
  const path = service === shared ? podPath : '/';
  return { host: gateway, port: 80, path, headers: { host: `${service}.${home}.svc.cluster.local` } };
}

/** The Broker's part for a Trigger; the event already has the number of passes that the Broker gave it. */
async function filter(site: Site, trigger: string): Promise<Target> {
  const host = await addressOf(site, 'knative-eventing', 'broker-filter');
  return { host, port: 80, path: await pathOfTrigger(site, trigger), headers: round };
}

const round = { 'ce-knativebrokerttl': '255' };

/** The channel to which the ingress sends an event; it knows the channel by the Host of the request. */
async function channel(site: Site, broker: string): Promise<Target> {
  const host = await addressOf(site, 'knative-eventing', 'imc-dispatcher');
  const name = `${broker}-kne-trigger-kn-channel.${home}.svc.cluster.local`;
  return { host, port: 80, headers: { host: name, ...round } };
}

/** It answers when all Triggers are done: dispatcher, filter, and the function by Kourier and all that is behind it. */
export async function ingress(site: Site, broker: string): Promise<Target> {
  const host = await addressOf(site, 'knative-eventing', 'broker-ingress');
  return { host, port: 80, path: `/${home}/${broker}` };
}

/** The event of a Message that has everything it needs: its function reads, and writes nothing. */
export async function messageAsItIs(site: Site): Promise<Sent> {
  const name = `bench-way-${String(Date.now())}`;
  await messagesToPods(site, 'default', { prefix: name, count: 1 });
  const found = await site.get('myorg.dev/v1', 'Message', { namespace: 'default', name: `${name}-0` });
  if (found === undefined) throw new Error(`Message ${name}-0 is gone`);
  return eventOf(found);
}

async function measure(
  stages: readonly Stage[],
  taken: Map<string, (readonly number[])[]>,
  { rounds, count, keepAwake }: Size & { readonly keepAwake: () => Promise<unknown> },
): Promise<void> {
  for (const { target, sent = podOfNobody } of stages) {
    await keepAwake();
    await timesOf(target, sent, 5);
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, target, sent = podOfNobody } of shuffled(stages)) {
      await keepAwake();
      const values = await timesOf(target, sent, count);
      taken.set(name, [...(taken.get(name) ?? []), values]);
    }
  }
}
