import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { describe, type KubeObject, type ObjectRef, refOf } from '../../packages/controller/domain/kube-object.ts';
import type { Precondition } from '../../packages/controller/domain/plan.ts';
import type { Reader, Writer } from '../../packages/controller/domain/ports.ts';

/** Where one case runs: on the embedded API in this process, or on a real API server. */
export interface Arena {
  readonly cluster: Reader & Writer;
  /** Somebody else, with a field manager of their own. */
  readonly user: {
    /** Creates or replaces; status and finalizers stay where the object says nothing of them. */
    put(object: KubeObject): Promise<KubeObject>;
    remove(ref: ObjectRef): Promise<void>;
  };
  /** Lets the garbage collector see what there is and do what it can, or work until the object is gone. */
  readonly collector: { see(): Promise<void>; collect(ref: ObjectRef): Promise<void> };
  readonly namespace: string;
  /** Nothing was ever in it. */
  readonly emptyNamespace: string;
  /** It does not exist. */
  readonly absentNamespace: string;
  /** It is being deleted, and something in it keeps it. */
  readonly terminatingNamespace: string;
  /** No other case uses it. */
  readonly name: string;
}

/** One behaviour of the ports, as a sentence; what `run` gives must be `want` wherever it runs. */
export interface Case {
  readonly name: string;
  run(arena: Arena): Promise<unknown>;
  readonly want: unknown;
}

/** `done`, or the code of the error. */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof KnudgeError) return error.code;
    throw error;
  }
}

/** The object as it is now; it must exist. */
export async function liveOf({ cluster }: Arena, object: KubeObject): Promise<KubeObject> {
  const live = await cluster.get(refOf(object));
  if (live === undefined) throw new Error(`${describe(refOf(object))} should exist`);
  return live;
}

export function preconditionOf({ metadata }: KubeObject): Precondition {
  return { uid: metadata.uid ?? '', resourceVersion: metadata.resourceVersion ?? '' };
}

/** The same object with the uid of another. */
export function withOtherUid(live: KubeObject): KubeObject {
  return { ...live, metadata: { ...live.metadata, uid: '11111111-2222-4333-8444-555555555555' } };
}

/** A field of an object by its path; undefined where it is not. */
export function field(object: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(step) : undefined,
    object,
  );
}

type Metadata = Partial<KubeObject['metadata']>;

export function configMap(arena: Arena, data: Readonly<Record<string, unknown>>, metadata: Metadata = {}): KubeObject {
  const whole = { name: arena.name, namespace: arena.namespace, ...metadata };
  return withFields({ apiVersion: 'v1', kind: 'ConfigMap', metadata: whole }, { data });
}

export function secret(arena: Arena, metadata: Metadata = {}): KubeObject {
  const whole = { name: arena.name, namespace: arena.namespace, ...metadata };
  return withFields({ apiVersion: 'v1', kind: 'Secret', metadata: whole }, { data: { token: 'c2VjcmV0' } });
}

export function message(arena: Arena, text: string, metadata: Metadata = {}): KubeObject {
  const whole = { name: arena.name, namespace: arena.namespace, ...metadata };
  return withFields({ apiVersion: 'myorg.dev/v1', kind: 'Message', metadata: whole }, { spec: { text } });
}

export function distributedService(arena: Arena, replicas: number): KubeObject {
  const metadata = { name: arena.name, namespace: arena.namespace };
  const spec = { serviceType: 'tcp', backends: { discovery: 'auto', port: 8080, replicas } };
  return withFields({ apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', metadata }, { spec });
}

/** Headless, so that nothing but its writers changes it. */
export function service(arena: Arena, ports: readonly number[]): KubeObject {
  const spec = { clusterIP: 'None', ports: ports.map((port) => ({ name: `p${port}`, port, protocol: 'TCP' })) };
  const metadata = { name: arena.name, namespace: arena.namespace };
  return withFields({ apiVersion: 'v1', kind: 'Service', metadata }, { spec });
}

/** No scheduler takes it, so that nothing but its writers changes it. */
export function pod(arena: Arena, image: string): KubeObject {
  const spec = { schedulerName: 'nobody', containers: [{ name: 'main', image }] };
  return withFields(
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: arena.name, namespace: arena.namespace } },
    { spec },
  );
}

/** Without replicas; its controller still writes its status. */
export function deployment(arena: Arena, app: string): KubeObject {
  const labels = { app };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example.com/main:1' }] } };
  const spec = { replicas: 0, selector: { matchLabels: labels }, template };
  const metadata = { name: arena.name, namespace: arena.namespace };
  return withFields({ apiVersion: 'apps/v1', kind: 'Deployment', metadata }, { spec });
}

/** The same object with more fields beside apiVersion, kind and metadata. */
export function withFields(object: KubeObject, fields: Readonly<Record<string, unknown>>): KubeObject {
  return { ...object, ...fields };
}

/** Tries again with the object as it is by then, at most five times: a controller may write in between. */
export async function onLive<T>(arena: Arena, object: KubeObject, work: (live: KubeObject) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work(await liveOf(arena, object));
    } catch (error) {
      if (!(error instanceof KnudgeError) || error.code !== 'conflict' || tries === 5) throw error;
    }
  }
}
