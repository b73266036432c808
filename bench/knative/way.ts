import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { isReady, podsWith } from '../../test/knative/processes.ts';
import { home, type Site } from '../../test/knative/site.ts';
import { kubectl } from '../../test/kube/kubectl.ts';
import { until } from '../../test/kube/until.ts';

const eventing = '/apis/eventing.knative.dev/v1';
const broker = 'bench';

/** The targets of the bench's Triggers, and their names. */
const triggers = {
  'bench-function': {
    ref: { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: 'distributed-service', namespace: home },
    uri: '/pod-changed',
  },
  'bench-log': {
    ref: { apiVersion: 'messaging.knative.dev/v1', kind: 'InMemoryChannel', name: 'event-log', namespace: home },
  },
} as const;

const filters = { 'bench-function': [{ exact: { kind: 'Pod' } }], 'bench-log': [] };

/** A Broker beside Knudge's, of the same class, with one Trigger: to the function. */
export async function makeBroker(site: Site): Promise<void> {
  const path = `${eventing}/namespaces/${home}/brokers`;
  const metadata = {
    name: broker,
    namespace: home,
    annotations: { 'eventing.knative.dev/broker.class': 'MTChannelBasedBroker' },
  };
  await site.api('POST', path, { body: { apiVersion: 'eventing.knative.dev/v1', kind: 'Broker', metadata } });
  await untilIsReady(`broker/${broker}`);
  await makeTrigger(site, 'bench-function');
}

/** A Trigger of that Broker; the one that leads to the log is as deploy/ has it. */
export async function makeTrigger(site: Site, name: keyof typeof triggers): Promise<void> {
  const spec = { broker, filters: filters[name], subscriber: triggers[name] };
  const body = { apiVersion: 'eventing.knative.dev/v1', kind: 'Trigger', metadata: { name, namespace: home }, spec };
  await site.api('POST', `${eventing}/namespaces/${home}/triggers`, { body });
  await untilIsReady(`trigger/${name}`);
}

/** The Broker goes first: its channel goes with it, which can keep what Triggers leave behind. */
export async function removeBroker(): Promise<void> {
  await kubectl('--namespace', home, 'delete', 'broker', broker, '--ignore-not-found', '--timeout=60s');
  for (const name of Object.keys(triggers))
    await kubectl('--namespace', home, 'delete', 'trigger', name, '--ignore-not-found', '--timeout=60s');
}

async function untilIsReady(what: string): Promise<void> {
  await kubectl('--namespace', home, 'wait', what, '--for=condition=Ready', '--timeout=60s');
}

/** The path by which the filter of all Brokers knows a Trigger. */
export async function pathOfTrigger({ api }: Site, name: string): Promise<string> {
  const { status, body } = await api('GET', `${eventing}/namespaces/${home}/triggers/${name}`);
  if (status !== 200) throw new Error(`there is no Trigger ${home}/${name}`);
  return `/triggers/${home}/${name}/${(body as KubeObject).metadata.uid ?? ''}`;
}

/** The address of a Service inside the cluster. */
export async function addressOf({ get }: Site, namespace: string, name: string): Promise<string> {
  const service = await get('v1', 'Service', { namespace, name });
  const ip = (service as unknown as { readonly spec?: { readonly clusterIP?: string } } | undefined)?.spec?.clusterIP;
  if (ip === undefined) throw new Error(`there is no Service ${namespace}/${name}`);
  return ip;
}

/** The Pod of a Knative Service that is awake. */
export async function podOf(site: Site, name: string): Promise<{ readonly ip: string; readonly revision: string }> {
  let found: { readonly ip: string; readonly revision: string } | undefined;
  await until(`${name} is awake`, async () => {
    const [pod] = (await podsWith(site, home, { 'serving.knative.dev/service': name })).filter(isReady);
    const ip = pod?.status?.podIP;
    const revision = pod?.metadata.labels?.['serving.knative.dev/revision'];
    if (ip !== undefined && revision !== undefined) found = { ip, revision };
    return found !== undefined;
  });
  if (found === undefined) throw new Error(`${name} is not awake`);
  return found;
}
