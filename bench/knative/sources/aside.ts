import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { home, type Site } from '../../../test/knative/site.ts';
import { kubectl } from '../../../test/kube/kubectl.ts';
import { make, remove } from './ground.ts';

const apiVersion = 'sources.knative.dev/v1';
const kinds = { apiserversources: 'ApiServerSource', containersources: 'ContainerSource', pingsources: 'PingSource' };
const applied = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Removes the sources of the installed Knudge, of either sort: then no function gets events, and none takes time from the
 * measurement. The returned function makes them again as they were.
 */
export async function putAside(site: Site): Promise<() => Promise<void>> {
  const found: KubeObject[] = [];
  for (const [plural, kind] of Object.entries(kinds)) {
    const { body } = await site.api('GET', `/apis/${apiVersion}/namespaces/${home}/${plural}`);
    const { items = [] } = body as { readonly items?: readonly KubeObject[] };
    found.push(...items.map((item) => ({ ...item, apiVersion, kind })));
  }
  for (const one of found) await remove(site, one);
  process.stderr.write(`sources: put aside ${found.map(({ metadata }) => metadata.name).join(', ')}\n`);
  return async () => {
    for (const one of found) await make(site, bare(one));
    for (const { kind, metadata } of found)
      await kubectl('--namespace', home, 'wait', `${kind}/${metadata.name}`, '--for=condition=Ready', '--timeout=120s');
  };
}

/** The object as it was applied, without what the cluster has added. */
function bare(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata, spec } = object as KubeObject & { readonly spec: unknown };
  const { name, namespace, labels, annotations } = metadata;
  const kept = annotations?.[applied];
  return {
    ...{ apiVersion, kind },
    metadata: {
      ...{ name, ...(namespace !== undefined && { namespace }), ...(labels !== undefined && { labels }) },
      ...(kept !== undefined && { annotations: { [applied]: kept } }),
    },
    ...{ spec },
  };
}
