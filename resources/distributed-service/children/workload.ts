import { isLeaving, preconditionOf } from '../../../packages/controller/decide/children.ts';
import { controllersOf } from '../../../packages/controller/decide/controllers.ts';
import type { Inputs, NamedQuery } from '../../../packages/controller/decide/resource.ts';
import { controllerOf, describe, type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { labels, shortHash } from '../../../packages/controller/domain/names.ts';
import type { Observed, Write } from '../../../packages/controller/domain/plan.ts';
import { childName, claimPrefix } from '../names.ts';
import { shapeProblemOf } from '../spec/shape.ts';
import type { DistributedService } from '../types.ts';

/** The findings about the workload that the spec names, and the write that scales it. */
export interface WorkloadFinding {
  readonly workload: KubeObject | undefined;
  /** A sentence for the status: why this service does not scale it. */
  readonly conflict?: string;
  /** A sentence for the status: somebody else has scaled the workload since Knudge did. */
  readonly moved?: string;
  /** The last scale that Knudge asked for, including these writes. */
  readonly scaled?: Scaled;
  readonly writes: readonly Write[];
}

type Scaled = NonNullable<NonNullable<DistributedService['status']>['scaled']>;

/** The inputs with the workload, and with the other services that name it. */
const input = { claims: 'scaler-claims', scalers: 'scalers', workload: 'workload' } as const;

interface Scalable extends KubeObject {
  readonly spec?: { readonly replicas?: number };
}

/** Queries for the workload, and for the other services that name it: a label of their balanced Services leads to them. */
export function workloadQueries(owner: DistributedService, found: Inputs): NamedQuery[] {
  const { workloadRef } = owner.spec.backends;
  const key = scalerKey(owner);
  if (workloadRef === undefined || key === undefined || isOwnTunnel(owner)) return [];
  const { namespace = '', uid = '' } = owner.metadata;
  const ref = { ...workloadRef, namespace };
  const services = { apiVersion: 'v1', kind: 'Service', namespace, labelSelector: key, metadataOnly: true };
  const kind = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' } as const;
  return [
    { name: input.workload, query: { what: 'object', ref }, written: true },
    { name: input.claims, query: { what: 'list', ...services } },
    ...controllersOf(found.get(input.claims) ?? [], { name: input.scalers, except: uid, ...kind }),
  ];
}

/** The label by which the others find this service. */
export function scalerKey({ metadata, spec }: DistributedService): string | undefined {
  const { workloadRef: ref } = spec.backends;
  return ref && `${claimPrefix}${shortHash(`workload ${metadata.namespace ?? ''} ${ref.kind}/${ref.name}`)}`;
}

/**
 * Scales the workload to `backends.replicas`: once for each generation of the spec, so that Knudge does not fight an autoscaler of the
 * workload; only for the oldest service that names it, so that two do not fight; and never a workload that Knudge runs itself.
 */
export function findWorkload({ owner, inputs }: Observed<DistributedService>, isPending: boolean): WorkloadFinding {
  const workload = inputs.get(input.workload)?.[0];
  const { workloadRef } = owner.spec.backends;
  if (workloadRef === undefined) return { workload, writes: [] };
  const name = `${workloadRef.kind} ${workloadRef.name}`;
  const conflict = conflictOf(owner, { name, workload, others: inputs.get(input.scalers) ?? [] });
  if (conflict !== undefined) return { workload, conflict, writes: [] };
  const { scaled } = owner.status ?? {};
  if (workload === undefined || isLeaving(workload)) return { workload, ...(scaled && { scaled }), writes: [] };
  return { workload, ...ask(owner, workload, isPending) };
}

/** Scales the workload, if it was not scaled for this generation already. */
function ask(
  { metadata, spec, status }: DistributedService,
  workload: Scalable,
  isPending: boolean,
): Omit<WorkloadFinding, 'workload'> {
  const { workloadRef, replicas } = spec.backends;
  const before = status?.scaled;
  const scaled = { uid: workload.metadata.uid ?? '', generation: metadata.generation ?? 0, replicas };
  const has = workload.spec?.replicas ?? 1;
  if (has === replicas) return { scaled, writes: [] };
  if (before?.uid === scaled.uid && before.generation === scaled.generation) {
    const moved = `${describe(refOf(workload))} has ${String(has)} replicas and was asked for ${String(replicas)}: somebody else has scaled it since, and Knudge leaves it`;
    return { scaled, moved, writes: [] };
  }
  // The label of this service must be written first. Then of two services that begin at the same time at least one sees the other.
  if (isPending || workloadRef === undefined) return { ...(before && { scaled: before }), writes: [] };
  const ref = { ...workloadRef, namespace: metadata.namespace ?? '' };
  return { scaled, writes: [{ do: 'scale', ref, precondition: preconditionOf(workload), replicas }] };
}

interface Contended {
  readonly name: string;
  readonly workload: KubeObject | undefined;
  readonly others: readonly KubeObject[];
}

function conflictOf(owner: DistributedService, { name, workload, others }: Contended): string | undefined {
  if (isOwnTunnel(owner) || (workload !== undefined && isOfKnudge(workload)))
    return `${name} is run by Knudge itself: name the workload that runs the backends`;
  const elder = others
    .map((other) => other as DistributedService)
    .filter((other) => other.metadata.uid !== owner.metadata.uid && !isLeaving(other))
    .filter((other) => shapeProblemOf(other.spec) === undefined && scalerKey(other) === scalerKey(owner))
    .find((other) => ageOf(other) < ageOf(owner));
  if (elder === undefined) return undefined;
  return `${name} is scaled by DistributedService ${elder.metadata.name}, which is older: name another, or wait until that one gives it up`;
}

/** Whether the spec names the service's own tunnel. That is a child, which is read before the owner, so it is not queried again. */
function isOwnTunnel({ metadata, spec }: DistributedService): boolean {
  const { kind, name } = spec.backends.workloadRef ?? {};
  return kind === 'Deployment' && name === childName(metadata.name, 'tunnel');
}

/** Whether Knudge runs the workload: it is the Deployment of a tunnel, or one of its ReplicaSets. */
function isOfKnudge(workload: KubeObject): boolean {
  if (workload.metadata.labels?.[labels.ownerUid] !== undefined) return true;
  return controllerOf(workload)?.apiVersion.startsWith('frp.io/') ?? false;
}

function ageOf({ metadata: { creationTimestamp = '', name } }: DistributedService): string {
  return `${creationTimestamp}\n${name}`;
}
