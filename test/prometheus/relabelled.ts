import { parseAllDocuments } from 'yaml';
import { textOf } from '../house/files.ts';

interface Relabeling {
  readonly sourceLabels?: readonly string[];
  readonly targetLabel: string;
  readonly replacement?: string;
}

interface PodMonitor {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly sampleLimit?: number;
    readonly podMetricsEndpoints: readonly {
      readonly port: string;
      readonly path: string;
      readonly relabelings?: readonly Relabeling[];
    }[];
  };
}

/** A Pod as the discovery of Kubernetes would find it. */
export interface Target {
  readonly address: string;
  readonly namespace: string;
  readonly pod: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** The scrape_config that the Prometheus Operator makes of a PodMonitor of ours, for these Pods. */
export function scrapeOf(name: string, targets: readonly Target[]): object {
  const monitors = parseAllDocuments(textOf('deploy/components/prometheus/pod-monitor.yaml')).map(
    (document) => document.toJS() as PodMonitor,
  );
  const spec = monitors.find(({ metadata }) => metadata.name === name)?.spec;
  const [endpoint] = spec?.podMetricsEndpoints ?? [];
  if (spec === undefined || endpoint === undefined) throw new Error(`there is no PodMonitor ${name}`);
  const label = (key: string): string => `__meta_kubernetes_pod_label_${key.replace(/[^a-zA-Z0-9]/g, '_')}`;
  return {
    job_name: `knudge/${name}`,
    metrics_path: endpoint.path,
    sample_limit: spec.sampleLimit ?? 0,
    static_configs: targets.map(({ address, namespace, pod, labels }) => ({
      targets: [address],
      labels: {
        ...{ namespace, pod },
        ...Object.fromEntries(Object.entries(labels).map(([key, value]) => [label(key), value])),
      },
    })),
    relabel_configs: (endpoint.relabelings ?? []).map(({ sourceLabels, targetLabel, replacement }) => ({
      ...(sourceLabels && { source_labels: sourceLabels }),
      target_label: targetLabel,
      ...(replacement !== undefined && { replacement }),
    })),
  };
}
