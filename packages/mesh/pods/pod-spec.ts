import type { KubeObject } from '../../controller/domain/kube-object.ts';

/** The fields of a Pod that a node acts on. */
export interface Pod extends KubeObject {
  readonly metadata: KubeObject['metadata'] & { readonly deletionGracePeriodSeconds?: number };
  readonly spec: PodSpec;
  readonly status?: {
    readonly phase?: string;
    readonly podIP?: string;
    readonly startTime?: string;
    readonly conditions?: readonly Condition[];
  };
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string | null;
  readonly [field: string]: unknown;
}

export interface PodSpec {
  readonly nodeName?: string;
  readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  readonly terminationGracePeriodSeconds?: number;
  readonly containers: readonly ContainerSpec[];
  readonly volumes?: readonly VolumeSpec[];
}

export interface ContainerSpec {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly unknown[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly subPath?: string }[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath: string } };
}

export interface Probe {
  readonly httpGet?: { readonly path?: string; readonly port: number | string };
  readonly tcpSocket?: { readonly port: number | string };
  readonly exec?: { readonly command: readonly string[] };
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly failureThreshold?: number;
  readonly successThreshold?: number;
}

interface Item {
  readonly key: string;
  readonly path: string;
}

export interface VolumeSpec {
  readonly name: string;
  readonly configMap?: { readonly name: string; readonly items?: readonly Item[]; readonly optional?: boolean };
  readonly secret?: { readonly secretName: string; readonly items?: readonly Item[]; readonly optional?: boolean };
  readonly emptyDir?: object;
  /** The token of a ServiceAccount, which nobody makes here. */
  readonly projected?: object;
}
