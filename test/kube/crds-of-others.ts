import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { pinnedCrds } from '../../tools/crds/pinned-crds.ts';
import type { apiFrom } from './api.ts';
import { put } from './install.ts';
import { kubectl } from './kubectl.ts';
import { until } from './until.ts';

type Api = ReturnType<typeof apiFrom>;

/** Of what Knudge's packages have objects of, beside Knative's: the CRDs of OLM and of the Prometheus Operator. */
export const besideKnative: readonly KubeObject[] = pinnedCrds(['olm', 'monitors']);
/** And Knative's own. */
const all = [...pinnedCrds(['eventing', 'serving']), ...besideKnative];
const namesOf = (crds: readonly KubeObject[]) => crds.map(({ metadata }) => `crd/${metadata.name}`);

export async function putCrdsOfOthers(api: Api, crds: readonly KubeObject[] = all): Promise<void> {
  for (const crd of crds) await put(api, crd);
  // kubectl refuses to wait for what has no conditions at all yet.
  await until('the CRDs of others are established', async () => {
    await kubectl('wait', '--for=condition=Established', '--timeout=30s', ...namesOf(crds));
    return true;
  });
}

/**
 * Other tests ask what kinds the cluster has. Of CRDs that go right after they were used the API server may forget one
 * ("storage is (re)initializing") until something changes it, or for minutes.
 */
export async function removeCrdsOfOthers(crds: readonly KubeObject[] = all): Promise<void> {
  const names = namesOf(crds);
  await kubectl('delete', '--wait=false', ...names);
  await until('the CRDs of others are gone', async () => {
    const { stdout } = await kubectl('get', 'crds', '--output=jsonpath={range .items[*]}crd/{.metadata.name} {end}');
    const left = stdout.split(' ').filter((name) => names.includes(name));
    if (left.length === 0) return true;
    await sleep(500);
    await kubectl('annotate', '--overwrite', ...left, `knudge.dev/asked-at=${String(Date.now())}`);
    return left;
  });
}
