import { isLeaving, preconditionOf } from '../../../packages/controller/decide/children.ts';
import { controllersOf } from '../../../packages/controller/decide/controllers.ts';
import type { Inputs, NamedQuery } from '../../../packages/controller/decide/resource.ts';
import { controllerOf, describe, type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { labels, shortHash } from '../../../packages/controller/domain/names.ts';
import type { Observed, Write } from '../../../packages/controller/domain/plan.ts';
import { childName, claimPrefix } from '../names.ts';
import { shapeProblemOf } from '../spec/shape.ts';
import type { DistributedService } from '../types.ts';

/** How it stands with the workload that the spec names. */
export interface WorkloadFinding {
  readonly workload: KubeObject | undefined;
  /** Why this service does not scale it, for people. */
  readonly conflict?: string;
  /** Somebody else has moved it since it was asked, for people. */
  readonly moved?: string;
  /** What it has been asked for, also by these writes. */
  readonly scaled?: Scaled;
  readonly writes: readonly Write[];
}

type Scaled = NonNullable<NonNullable<DistributedService['status']>['scaled']>;

/** The inputs by which the other services are found that name the same workload. */
const input = { claims: 'scaler-claims', scalers: 'scalers', workload: 'workload' } as const;

interface Scalable extends KubeObject {
  readonly spec?: { readonly replicas?: number };
}

/** The workload, and who else names it: by a label of the balanced Services, as what is claimed at the FRP server. */
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
 * The workload follows `backends.replicas`: it is asked once for each generation, so that an autoscaler of its own is not fought;
 * by the oldest service that names it, so that two do not fight; and never where it is what Knudge runs itself.
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

/** What the workload is asked for now, if it has not been asked already. */
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
  // First it must stand who scales it: of two who begin at the same time at least one then sees the other.
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

/** It is read as a child, before the owner: it is no input. */
function isOwnTunnel({ metadata, spec }: DistributedService): boolean {
  const { kind, name } = spec.backends.workloadRef ?? {};
  return kind === 'Deployment' && name === childName(metadata.name, 'tunnel');
}

/** A tunnel, or what a tunnel's Deployment makes. */
function isOfKnudge(workload: KubeObject): boolean {
  if (workload.metadata.labels?.[labels.ownerUid] !== undefined) return true;
  return controllerOf(workload)?.apiVersion.startsWith('frp.io/') ?? false;
}

function ageOf({ metadata: { creationTimestamp = '', name } }: DistributedService): string {
  return `${creationTimestamp}\n${name}`;
}
