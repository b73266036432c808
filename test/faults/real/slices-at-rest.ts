import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';

interface Fields {
  readonly spec?: { readonly selector?: Readonly<Record<string, string>> | null };
  readonly status?: {
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  readonly endpoints?:
    | readonly { readonly addresses: readonly string[]; readonly conditions?: { readonly ready?: boolean } }[]
    | null;
}

/** The first Service whose EndpointSlices do not show yet which Pods it has; empty when all do. */
export function workOfSlices(objects: readonly KubeObject[]): string {
  const pods = objects.filter(({ kind, metadata }) => kind === 'Pod' && metadata.deletionTimestamp === undefined);
  const slices = objects.filter(({ kind }) => kind === 'EndpointSlice');
  const late = objects.find((object) => {
    const { selector } = (object as Fields).spec ?? {};
    if (object.kind !== 'Service' || !selector || Object.keys(selector).length === 0) return false;
    const own = slices.filter(
      ({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === object.metadata.name,
    );
    const selected = pods.filter(({ metadata: { labels = {} } }) =>
      Object.entries(selector).every(([key, value]) => labels[key] === value),
    );
    return own.length === 0 || told(own) !== wanted(selected);
  });
  return late === undefined ? '' : `EndpointSlices of ${late.metadata.name}`;
}

function told(slices: readonly KubeObject[]): string {
  const endpoints = slices.flatMap((slice) => (slice as Fields).endpoints ?? []);
  return endpoints
    .flatMap(({ addresses, conditions }) =>
      addresses.map((address) => `${address} ${String(conditions?.ready === true)}`),
    )
    .sort()
    .join();
}

function wanted(pods: readonly KubeObject[]): string {
  return pods
    .flatMap((pod) => {
      const { podIP, conditions = [] } = (pod as Fields).status ?? {};
      const isReady = conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
      return podIP === undefined ? [] : [`${podIP} ${String(isReady)}`];
    })
    .sort()
    .join();
}
