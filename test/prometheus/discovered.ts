import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';

/** What of a Pod Prometheus looks at when it looks for Pods. */
interface Found extends KubeObject {
  readonly spec: {
    readonly containers: readonly {
      readonly name: string;
      readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
    }[];
  };
  readonly status?: { readonly phase?: string; readonly podIP?: string };
}

/**
 * The ports of these Pods with the labels that Prometheus itself gives them before it relabels
 * (https://prometheus.io/docs/prometheus/latest/configuration/configuration/#pod): Debian builds it without that.
 */
export function discovered(pods: readonly KubeObject[]): readonly object[] {
  return (pods as readonly Found[]).flatMap((pod) =>
    pod.spec.containers.flatMap((container) =>
      (container.ports ?? []).map(({ name = '', containerPort }) => ({
        targets: [`${pod.status?.podIP ?? ''}:${String(containerPort)}`],
        labels: {
          ...ofPod(pod),
          __meta_kubernetes_pod_container_name: container.name,
          __meta_kubernetes_pod_container_port_name: name,
        },
      })),
    ),
  );
}

function ofPod({ metadata, status }: Found): Readonly<Record<string, string>> {
  const labels = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    const name = key.replace(/[^a-zA-Z0-9]/g, '_');
    return [
      [`__meta_kubernetes_pod_label_${name}`, value],
      [`__meta_kubernetes_pod_labelpresent_${name}`, 'true'],
    ];
  });
  return {
    ...(Object.fromEntries(labels) as Readonly<Record<string, string>>),
    __meta_kubernetes_namespace: metadata.namespace ?? '',
    __meta_kubernetes_pod_name: metadata.name,
    __meta_kubernetes_pod_phase: status?.phase ?? '',
  };
}
