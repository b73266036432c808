import { parseAllDocuments } from 'yaml';
import { textOf } from '../house/files.ts';

interface Relabeling {
  readonly sourceLabels?: readonly string[];
  readonly targetLabel?: string;
  readonly replacement?: string;
  readonly action?: string;
  readonly regex?: string;
}

export interface PodMonitor {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly namespaceSelector?: { readonly any: boolean };
    readonly sampleLimit?: number;
    readonly labelLimit?: number;
    readonly labelNameLengthLimit?: number;
    readonly labelValueLengthLimit?: number;
    readonly bodySizeLimit?: string;
    readonly podMetricsEndpoints: readonly [
      {
        readonly port: string;
        readonly path: string;
        readonly interval: string;
        readonly scrapeTimeout?: string;
        readonly honorLabels?: boolean;
        readonly honorTimestamps?: boolean;
        readonly followRedirects?: boolean;
        readonly relabelings?: readonly Relabeling[];
        readonly metricRelabelings?: readonly Relabeling[];
      },
    ];
  };
}

/** A Pod as the discovery of Kubernetes would find it. */
export interface Target {
  readonly address: string;
  readonly namespace: string;
  readonly pod: string;
  readonly labels: Readonly<Record<string, string>>;
}

/** A PodMonitor of ours. */
export function monitorOf(name: string): PodMonitor {
  const monitors = parseAllDocuments(textOf('deploy/components/prometheus/pod-monitor.yaml')).map(
    (document) => document.toJS() as PodMonitor,
  );
  const found = monitors.find(({ metadata }) => metadata.name === name);
  if (found === undefined) throw new Error(`there is no PodMonitor ${name}`);
  return found;
}

/** The scrape_config that the Prometheus Operator makes of a PodMonitor of ours, for these Pods; how often is for the test to say. */
export function scrapeOf(name: string, targets: readonly Target[]) {
  const { spec } = monitorOf(name);
  const [endpoint] = spec.podMetricsEndpoints;
  const label = (key: string): string => `__meta_kubernetes_pod_label_${key.replace(/[^a-zA-Z0-9]/g, '_')}`;
  return {
    job_name: `knudge/${name}`,
    metrics_path: endpoint.path,
    ...limitsOf(spec),
    honor_labels: endpoint.honorLabels ?? false,
    honor_timestamps: endpoint.honorTimestamps ?? true,
    follow_redirects: endpoint.followRedirects ?? true,
    static_configs: targets.map(({ address, namespace, pod, labels }) => ({
      targets: [address],
      labels: {
        namespace,
        pod,
        ...Object.fromEntries(Object.entries(labels).map(([key, value]) => [label(key), value])),
      },
    })),
    relabel_configs: (endpoint.relabelings ?? []).map(inPrometheus),
    metric_relabel_configs: (endpoint.metricRelabelings ?? []).map(inPrometheus),
  };
}

/** Zero is no limit. */
function limitsOf(spec: PodMonitor['spec']): object {
  return {
    sample_limit: spec.sampleLimit ?? 0,
    label_limit: spec.labelLimit ?? 0,
    label_name_length_limit: spec.labelNameLengthLimit ?? 0,
    label_value_length_limit: spec.labelValueLengthLimit ?? 0,
    body_size_limit: spec.bodySizeLimit ?? '0',
  };
}

function inPrometheus({ sourceLabels, targetLabel, ...rest }: Relabeling): object {
  return {
    ...(sourceLabels && { source_labels: sourceLabels }),
    ...(targetLabel !== undefined && { target_label: targetLabel }),
    ...rest,
  };
}
