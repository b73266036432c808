import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { message } from '../../build/objects.ts';
import type { apiFrom } from '../../kube/api.ts';
import { pathOf, put } from '../../kube/install.ts';
import { until } from '../../kube/until.ts';

/** The garbage collector looks for kinds that are new to it every 30 s. */
const longestSeconds = 75;

/**
 * Waits until the garbage collector knows Message. Where the CRDs are new it does not yet, and what has lost its owner then stays
 * longer than a run that waits for rest.
 */
export async function knowsMessage(api: ReturnType<typeof apiFrom>): Promise<void> {
  const at = { namespace: 'default', name: `owner-${process.pid}` };
  const owner = await put(api, message(at.name, 'to be deleted', at));
  const { apiVersion, kind, metadata } = owner;
  const ownerReferences = [{ apiVersion, kind, name: at.name, uid: metadata.uid }];
  const child = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...at, ownerReferences } } as KubeObject;
  await put(api, child);
  await api('DELETE', pathOf(apiVersion, kind, at));
  const isGone = async () => (await api('GET', pathOf(child.apiVersion, child.kind, at))).status === 404;
  await until('the garbage collector has deleted what a Message owned', isGone, longestSeconds);
}
