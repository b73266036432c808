import { randomUUID } from 'node:crypto';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Claim } from '../../../resources/distributed-service/claims/types.ts';
import { kubectlFor } from '../../../tools/knative/kubectl.ts';
import { until } from '../../kube/until.ts';
import { places } from '../places.ts';
import { home, type Site } from '../site.ts';
import { secondImage, subjects } from './objects.ts';
import { refused } from './plumbing.ts';
import type { RecordingName } from './wanted.ts';

/** Waits until a delivery has come that is wanted under this name. */
export type Came = (name: RecordingName) => Promise<unknown>;

const { events: namespace } = places;

/** Makes, changes and deletes what is recorded; each next step when the one before has been reported. */
export async function happen(site: Site, came: Came): Promise<void> {
  const kubectl = kubectlFor(site.kubeconfig);
  const on = (...args: readonly string[]) => kubectl(['--namespace', namespace, ...args]);
  const apply = (object: KubeObject) => kubectl(['apply', '--filename', '-'], JSON.stringify(object));
  const remove = (kind: string, name: string) => on('delete', kind, name, '--wait=false');
  const act = { site, came, on, apply, remove };
  const all = [configMap, pod, behindService, secondService, distributedService, claim, message, secret, others];
  await Promise.all(all.map((one) => one(act)));
}

interface Act {
  readonly site: Site;
  readonly came: Came;
  readonly on: (...args: readonly string[]) => Promise<string>;
  readonly apply: (object: KubeObject) => Promise<string>;
  readonly remove: (kind: string, name: string) => Promise<string>;
}

async function configMap({ came, apply, remove }: Act): Promise<void> {
  await apply(subjects.configMap('v1'));
  await came('config-map-changed/configmap-add');
  await apply(subjects.configMap('v2'));
  await came('config-map-changed/configmap-update');
  await remove('configmap', 'c1');
  await came('config-map-changed/configmap-delete');
  for (const name of refused) await apply(subjects.refused(name));
  await came('dead-lettered/broker-deadletter-after-400');
  await came('dead-lettered/broker-deadletter-after-retries-500');
}

async function pod({ came, on, apply, remove }: Act): Promise<void> {
  await apply(subjects.pod);
  await came('pod-changed/pod-update-status-running');
  await on('label', 'pod', 'p1', 'changed=yes');
  await came('pod-changed/pod-update-label');
  await came('event-recorded/pod-update-through-broker');
  await remove('pod', 'p1');
  await came('pod-changed/pod-delete');
  await came('pod-changed/ref-pod-delete');
}

/** The slice follows the Service, and the Pods of the Deployment. */
async function behindService({ site, came, on, apply, remove }: Act): Promise<void> {
  await apply(subjects.service('web'));
  await came('endpoint-slice-changed/endpointslice-add');
  await apply(subjects.deployment);
  await came('deployment-changed/deployment-update-status');
  await came('endpoint-slice-changed/endpointslice-update-ready');
  await on('annotate', 'service', 'web', 'changed=yes');
  await came('service-changed/service-update-annotation');
  await remove('service', 'web');
  await came('endpoint-slice-changed/endpointslice-delete');
  await came('service-changed/service-delete');
  await on('set', 'image', 'deployment/web', secondImage);
  await came('deployment-changed/deployment-update-image');
  await until('the Deployment is replaced', async () => {
    const found = await site.get('apps/v1', 'Deployment', { namespace, name: 'web' });
    const { status } = found as KubeObject & { readonly status?: Readonly<Record<string, unknown>> };
    const { observedGeneration, replicas, updatedReplicas, availableReplicas } = status ?? {};
    return [observedGeneration === 2, replicas, updatedReplicas, availableReplicas].join() === 'true,1,1,1' || status;
  });
  await remove('deployment', 'web');
  await came('deployment-changed/deployment-delete');
}

async function secondService({ came, on, apply, remove }: Act): Promise<void> {
  await apply(subjects.service('web2'));
  await on(
    'patch',
    'service',
    'web2',
    '--type=json',
    '--patch=[{"op":"replace","path":"/spec/ports/0/port","value":81}]',
  );
  await came('service-changed/service-update-port');
  await remove('service', 'web2');
}

async function distributedService({ came, on, apply, remove }: Act): Promise<void> {
  await apply(subjects.distributedService);
  await came('distributed-service-changed/distributedservice-update-status');
  await on('patch', 'dsvc', 'ds1', '--type=merge', '--patch={"spec":{"expose":{"domains":["ds2.example.com"]}}}');
  await came('distributed-service-changed/distributedservice-update-spec');
  await untilTold(on, 'dsvc', { name: 'ds1', generation: 2 });
  await on('scale', 'dsvc', 'ds1', '--replicas=3');
  await came('distributed-service-changed/distributedservice-update-scale');
  await untilTold(on, 'dsvc', { name: 'ds1', generation: 3 });
  await remove('dsvc', 'ds1');
  await came('distributed-service-changed/distributedservice-delete');
}

/** A Claim that is let go, and one whose service is deleted. */
async function claim({ site, came, on, apply, remove }: Act): Promise<void> {
  await apply(subjects.profile);
  await apply(subjects.claimant);
  await untilHeld(site, '7001');
  await on('patch', 'dsvc', 'claimant', '--type=merge', '--patch={"spec":{"expose":{"remotePort":7002}}}');
  await came('claim-changed/claim-update-released');
  await untilHeld(site, '7002');
  await remove('dsvc', 'claimant');
  await came('claim-changed/claim-delete');
}

async function message({ came, on, apply, remove }: Act): Promise<void> {
  await apply(subjects.message('hello world'));
  await came('message-changed/message-add');
  await untilTold(on, 'message', { name: 'hello', generation: 1, phase: 'Processed' });
  await apply(subjects.message('hello again'));
  await came('message-changed/message-update-spec');
  await untilTold(on, 'message', { name: 'hello', generation: 2, phase: 'Processed' });
  await remove('message', 'hello');
  await came('message-changed/message-delete');
}

async function secret({ came, on, apply, remove }: Act): Promise<void> {
  await apply(subjects.secret);
  await came('secret-changed/ref-secret-add');
  await on('label', 'secret', 'web-identity', 'changed=yes');
  await came('secret-changed/ref-secret-update');
  await remove('secret', 'web-identity');
  await came('secret-changed/ref-secret-delete');
}

/** What is no object of the namespace: one of the cluster, a tick, a question that is answered, and an event of ours. */
async function others({ site, came, apply, remove }: Act): Promise<void> {
  await apply(subjects.priority);
  await came('cluster-scoped/ref-priority-class-add');
  await remove('priorityclass', 'ev-other');
  await came('resync-due/pingsource-through-broker');
  await send(site, { id: randomUUID(), source: '/fn/asked', type: 'fn.asked' }, {});
  await came('broker/broker-function-receives-reply-event');
  const round = randomUUID();
  const continuation = { round, step: 1, kind: 'Message', token: '', after: 'shop/hello', restarts: 0 };
  const time = `${new Date().toISOString().slice(0, 19)}Z`;
  const attributes = { id: `${round}/step/1`, source: '/knudge/resync-due', type: 'dev.knudge.resync.due', time };
  await send(site, attributes, continuation);
  await came('resync-due/continuation-through-broker');
}

/** An event to the Broker of the recording, at the address of its ingress. */
async function send({ api }: Site, attributes: Readonly<Record<string, string>>, data: unknown): Promise<void> {
  const { body } = await api('GET', '/api/v1/namespaces/knative-eventing/services/broker-ingress');
  const { clusterIP } = (body as { readonly spec: { readonly clusterIP: string } }).spec;
  const ce = Object.entries({ specversion: '1.0', ...attributes }).map(([name, value]) => [`ce-${name}`, value]);
  const { status } = await fetch(`http://${clusterIP}/${namespace}/default`, {
    method: 'POST',
    headers: { ...Object.fromEntries(ce), 'content-type': 'application/json' },
    body: JSON.stringify(data),
    signal: AbortSignal.timeout(30_000),
  });
  if (status !== 202) throw new Error(`the Broker answered ${String(status)} to ${attributes['type'] ?? 'an event'}`);
}

async function untilHeld(site: Site, port: string): Promise<void> {
  await until(`port ${port} is held`, async () => {
    const claims = (await site.list('frp.io/v1beta1', 'Claim', home)) as readonly Partial<Claim>[];
    const found = claims.map(({ spec }) => [spec?.namespace, spec?.value, spec?.state].join(' '));
    return found.includes(`${namespace} ${port} Held`) || found;
  });
}

interface Settled {
  readonly name: string;
  readonly generation: number;
  readonly phase?: string;
}

/** Waits until Knudge has reported this generation, so that what comes next is the same in each recording. */
async function untilTold(on: Act['on'], kind: string, { name, generation, phase }: Settled): Promise<void> {
  await until(`Knudge has told of ${kind} ${name}`, async () => {
    const { status } = JSON.parse(await on('get', kind, name, '--output=json')) as {
      readonly status?: { readonly observedGeneration?: number; readonly phase?: string };
    };
    return (status?.observedGeneration === generation && (phase === undefined || status.phase === phase)) || status;
  });
}
