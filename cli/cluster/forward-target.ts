import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';

/** The Pod and the port of a port-forward. */
export interface ForwardTarget {
  readonly pod: string;
  readonly port: number;
}

interface ServicePort {
  readonly port?: number;
  readonly targetPort?: number | string;
}

/** The fields of a Service that choose its Pods. */
export interface ServiceParts extends KubeObject {
  readonly spec?: { readonly selector?: Readonly<Record<string, string>>; readonly ports?: readonly ServicePort[] };
}

/** The fields of a Pod that say whether it answers, and at which port. */
export interface PodParts extends KubeObject {
  readonly spec?: {
    readonly containers?: readonly {
      readonly ports?: readonly { readonly name?: string; readonly containerPort?: number }[];
    }[];
  };
  readonly status?: { readonly conditions?: readonly { readonly type?: string; readonly status?: string }[] };
}

/** The selector of a Service as a query parameter. Throws `unavailable` for a Service that selects no Pods. */
export function selectorOf({ metadata, spec }: ServiceParts): string {
  const pairs = Object.entries(spec?.selector ?? {});
  if (pairs.length > 0) return pairs.map(([key, value]) => `${key}=${value}`).join(',');
  throw new KnudgeError(
    'unavailable',
    `Service ${metadata.namespace}/${metadata.name} chooses no Pods, so nothing can be forwarded to it`,
  );
}

/**
 * The newest ready Pod behind a port of a Service, and its port: the API server forwards only to Pods. Throws
 * `unavailable` if the Service has no such port or no Pod is ready.
 */
export function forwardTarget(service: ServiceParts, pods: readonly PodParts[], port: number): ForwardTarget {
  const name = `Service ${service.metadata.namespace}/${service.metadata.name}`;
  const found = service.spec?.ports?.find((one) => one.port === port);
  if (found === undefined) throw new KnudgeError('unavailable', `${name} has no port ${port}`);
  return podTarget(name, pods, found.targetPort ?? port);
}

/**
 * The newest ready Pod of what is called `name`, and its port by number or name: a Pod of an older revision runs on for a while
 * with its old settings. Throws `unavailable` as above.
 */
export function podTarget(name: string, pods: readonly PodParts[], port: number | string): ForwardTarget {
  const [pod] = pods.filter(isReady).toSorted((one, other) => (bornAt(one) < bornAt(other) ? 1 : -1));
  if (pod === undefined) {
    throw new KnudgeError('unavailable', `${name} has no Pod that is ready: kubectl get pods shows why`);
  }
  return { pod: pod.metadata.name, port: typeof port === 'number' ? port : portNamed(pod, port) };
}

function isReady({ metadata, status }: PodParts): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  return status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
}

function bornAt({ metadata }: PodParts): string {
  return metadata.creationTimestamp ?? '';
}

function portNamed({ metadata, spec }: PodParts, name: string): number {
  const ports = spec?.containers?.flatMap((container) => container.ports ?? []) ?? [];
  const port = ports.find((one) => one.name === name)?.containerPort;
  if (port !== undefined) return port;
  throw new KnudgeError('unavailable', `Pod ${metadata.namespace}/${metadata.name} has no port named ${name}`);
}
