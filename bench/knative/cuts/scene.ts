import { setTimeout as sleep } from 'node:timers/promises';
import type { DistributedService } from '../../../resources/distributed-service/types.ts';
import { distributedService, message } from '../../../test/build/objects.ts';
import { installFrpServer } from '../../../test/knative/frp-server.ts';
import type { Site } from '../../../test/knative/site.ts';
import { workload } from '../../../test/knative/web.ts';
import { untilProcessed } from '../../../test/knative/woken.ts';
import { kubectl } from '../../../test/kube/kubectl.ts';
import { until } from '../../../test/kube/until.ts';

const namespace = 'default';
const backend = 'bench-backend';
const longestMs = 60_000;

/** Makes an FRP server and a backend; the returned function removes them. */
export async function setScene(site: Site): Promise<() => Promise<void>> {
  const server = await installFrpServer(site);
  const { metadata, ...rest } = workload();
  await site.put({ ...rest, metadata: { ...metadata, name: backend, namespace } });
  await kubectl('--namespace', namespace, 'rollout', 'status', `deployment/${backend}`, '--timeout=60s');
  return async () => {
    await removeServices(site);
    await removeMessages(site);
    await kubectl('--namespace', namespace, 'delete', 'deployment', backend, '--ignore-not-found');
    await server.remove();
  };
}

/** Milliseconds from the apply of a DistributedService until its status says that it runs. */
export async function serviceToRunning(site: Site, name: string): Promise<number> {
  const backends = {
    discovery: 'selector',
    selector: { matchLabels: { app: 'web' } },
    port: 8080,
    replicas: 1,
  } as const;
  const spec = { serviceType: 'http', backends, expose: { domains: [`${name}.knudge.test`] } } as const;
  const began = performance.now();
  await site.put(distributedService(name, spec, { namespace }));
  let state: string | undefined;
  while (performance.now() - began < longestMs) {
    const found = await site.get('frp.io/v1beta1', 'DistributedService', { namespace, name });
    state = (found as DistributedService | undefined)?.status?.state;
    if (state === 'Running') return performance.now() - began;
    await sleep(20);
  }
  throw new Error(`DistributedService ${name} is ${state ?? 'without a status'} after ${String(longestMs / 1000)} s`);
}

/** Removes every DistributedService of the bench, and waits until they are gone. */
export async function removeServices(site: Site): Promise<void> {
  await remove(site, { kind: 'DistributedService', apiVersion: 'frp.io/v1beta1', plural: 'distributedservices' });
}

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
}

async function remove(site: Site, { apiVersion, kind, plural }: Kind): Promise<void> {
  const ours = async (): Promise<readonly string[]> => {
    const all = await site.list(apiVersion, kind, namespace);
    return all.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('bench-cuts-'));
  };
  for (const name of await ours())
    await site.api('DELETE', `/apis/${apiVersion}/namespaces/${namespace}/${plural}/${name}`);
  await until(`each ${kind} of the bench is gone`, async () => (await ours()).length === 0, 90);
}

/** Makes Messages and waits until their Pods run and their status does not change any more. */
export async function makeMessages(site: Site, names: readonly string[]): Promise<void> {
  for (const name of names) await site.put(message(name, 'cuts', { namespace }));
  await untilTheyRest(site, names);
}

/** Waits until the Messages' current Pods run and their status does not change any more. */
export async function untilTheyRest(site: Site, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await until(`the Pod of Message ${name} runs`, async () => {
      const pod = await site.get('v1', 'Pod', { namespace, name: `msg-${name}` });
      return (pod as { readonly status?: { readonly phase?: string } } | undefined)?.status?.phase === 'Running';
    });
  }
  await sleep(200);
  await untilProcessed(site, namespace, { names });
  await sleep(500);
}

/** Removes every Message of the bench, with its Pod. */
export async function removeMessages(site: Site): Promise<void> {
  await remove(site, { kind: 'Message', apiVersion: 'myorg.dev/v1', plural: 'messages' });
}

/** Milliseconds from the deletion of a Message's Pod until a new one is there. After a few for one Message the next would have to wait. */
export async function podToReturn(site: Site, name: string): Promise<number> {
  const at = { namespace, name: `msg-${name}` };
  const uid = (await site.get('v1', 'Pod', at))?.metadata.uid;
  if (uid === undefined) throw new Error(`Message ${name} has no Pod`);
  const began = performance.now();
  const path = `/api/v1/namespaces/${namespace}/pods/${at.name}`;
  const { status, body } = await site.api('DELETE', path, { body: { gracePeriodSeconds: 0 } });
  if (status !== 200) throw new Error(`Pod ${at.name}: ${JSON.stringify(body)}`);
  while (performance.now() - began < longestMs) {
    const now = (await site.get('v1', 'Pod', at))?.metadata.uid;
    if (now !== undefined && now !== uid) return performance.now() - began;
    await sleep(5);
  }
  throw new Error(`no other Pod of Message ${name} after ${String(longestMs / 1000)} s`);
}
