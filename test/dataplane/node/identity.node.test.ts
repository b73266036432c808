import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { podLayout } from '../../../resources/distributed-service/envoy/data-plane.ts';
import { tokenKey } from '../../../resources/distributed-service/frp/identity-secret.ts';
import { labels } from '../../../resources/distributed-service/names.ts';
import { processesOf } from '../../../tools/control-plane/node/cgroups.ts';
import type { Arena } from '../../kube/arena.ts';
import { until } from '../../kube/until.ts';
import { fileSeenBy } from '../pod/container.ts';
import { service } from '../world/objects.ts';
import { backend, type ToldPod } from './objects.ts';
import { openWorkplace, type Workplace } from './workplace.ts';

interface Data extends KubeObject {
  readonly data: Readonly<Record<string, string>>;
}

const gated = service({ name: 'gated', type: 'http', backends: { discovery: 'auto', port: 8080, replicas: 1 } });
const secret = { namespace: 'shop', name: 'frp-gated-identity' };

let workplace: Workplace;
let arena: Arena;

before(async () => {
  workplace = await openWorkplace();
  ({ arena } = workplace);
  const { data, ...profile } = workplace.server.profile('default') as Data;
  const { gate: _, tokenSecret: __, ...rest } = data;
  await arena.put({ ...profile, data: rest } as KubeObject);
  await arena.put(gated);
});

after(async () => {
  // The next file begins with the same names: nothing may be on its way out any more.
  await arena.remove(gated);
  await arena.remove(backend('web-1'));
  await until('the service is gone', async () => (await arena.service('shop', 'gated')) === undefined);
  const at = { namespace: 'shop', name: 'web-1' };
  await until('its backend is gone', async () => (await arena.get('v1', 'Pod', at)) === undefined);
  await workplace.close();
});

/** The token that a process in frpc's container sees. */
async function shown(): Promise<string> {
  const pods = (await arena.list('v1', 'Pod', 'shop')) as readonly ToldPod[];
  const [pod, ...others] = pods.filter(({ metadata }) => metadata.labels?.[labels.tunnel] === 'gated');
  assert.equal(others.length, 0);
  const { containerID = '' } = pod?.status?.containerStatuses?.find(({ name }) => name === 'frpc') ?? {};
  const [pid] = processesOf(containerID.replace('containerd://', ''));
  return readFileSync(fileSeenBy(pid, `${podLayout.identityPath}/${tokenKey}`), 'utf8');
}

async function made(): Promise<string> {
  const { data } = (await arena.get('v1', 'Secret', secret)) as Data;
  return Buffer.from(data[tokenKey] ?? '', 'base64').toString();
}

const isShown = async () => (await shown()) === (await made()) || 'frpc sees another token';

test('a token that is made anew reaches frpc: the kubelet would show the old one as long as the Pod is there', async () => {
  await until('frpc sees its token', isShown, 60);
  const old = await made();
  await arena.remove({ apiVersion: 'v1', kind: 'Secret', metadata: secret });
  await until('another token is made', async () => (await made()) !== old);
  await until('frpc sees that one', isShown, 60);
});
