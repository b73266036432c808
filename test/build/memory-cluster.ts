import { createCluster } from '../../packages/controller/cluster/cluster.ts';
import { preconditionOf } from '../../packages/controller/decide/children.ts';
import { addKinds } from '../../packages/controller/domain/known-kinds.ts';
import { type KubeObject, type ObjectRef, refOf } from '../../packages/controller/domain/kube-object.ts';
import type { Notice, Nudge, Precondition } from '../../packages/controller/domain/plan.ts';
import type { Reader, Trial, Writer } from '../../packages/controller/domain/ports.ts';
import { type KeptServer, type MemoryServer, type ServerOptions, startServer } from './memory/server.ts';
import '../../resources/managed/kinds.ts';

addKinds({ 'example.org/v1/Greeting': { plural: 'greetings', namespaced: true } });

/** One call of a port, as it was asked for. */
export interface MemoryCall {
  readonly verb: keyof Reader | keyof Writer;
  readonly ref: ObjectRef;
  /** What create and apply were to write. */
  readonly object?: KubeObject;
  readonly precondition?: Precondition;
  readonly notice?: Notice;
  readonly nudge?: Nudge;
}

/** Runs around each call and may wait, change the cluster or throw. */
type Hook = (call: MemoryCall) => unknown;

/** A cluster at a moment, which another one can begin with. */
export interface KeptCluster extends KeptServer {
  readonly calls: readonly MemoryCall[];
}

interface Options extends ServerOptions {
  readonly from?: KeptCluster;
}

export interface MemoryCluster extends Reader, Writer, Pick<MemoryServer, 'objects'> {
  /**
   * Creates or replaces, as a user with `kubectl replace` would: the generation follows the spec. Status and finalizers
   * stay where the object says nothing of them, so that builders can be put again; `finalizers: []` strips them.
   */
  put(object: KubeObject): KubeObject;
  /** Deletes, as a user would: what has finalizers is only marked. */
  remove(ref: ObjectRef): void;
  /** What the garbage collector would do by and by: dependents of owners that are gone, foreground deletions. */
  collectGarbage(): void;
  /** Tries writes, unheard by `before` and `after`. */
  trial(insist?: () => void): Promise<Trial>;
  readonly calls: readonly MemoryCall[];
  keep(): KeptCluster;
  /** Before the effect: what it throws is the answer, and nothing happened. */
  before: Hook | undefined;
  /** After the effect: what it throws is the answer although it happened (a lost answer). */
  after: Hook | undefined;
}

const pods = { apiVersion: 'v1', kind: 'Pod', name: '' } as const;

/** The embedded API in this process, as Knudge's client sees it; `test/same` holds both to the real API server. */
export function memoryCluster(options: Options = {}): MemoryCluster {
  const { exchange, now, ...server } = startServer(options);
  const calls: MemoryCall[] = [...(options.from?.calls ?? [])];
  const ports = createCluster({
    access: { server: 'http://127.0.0.1', credentials: async () => ({}) },
    version: 'test',
    instance: 'memory',
    exchange,
    sleep: async () => undefined,
    now,
    onLostNotice: (error) => {
      throw error;
    },
  });
  const trial: MemoryCluster['trial'] = (insist = () => {}) => ports.trial(insist);
  const keep = (): KeptCluster => ({ ...server.keep(), calls: [...calls] });
  const calling = { before: undefined, after: undefined, calls, keep };
  const cluster: MemoryCluster = { ...server, ...portsOf(ports, run), trial, ...calling };
  return cluster;

  async function run<T>(call: MemoryCall, effect: () => Promise<T>): Promise<T> {
    calls.push(call);
    await cluster.before?.(call);
    const result = await effect();
    await cluster.after?.(call);
    return result;
  }
}

type Run = <T>(call: MemoryCall, effect: () => Promise<T>) => Promise<T>;

/** Each call by `run`, which notes it and lets a test step in. */
function portsOf(ports: Reader & Writer, run: Run): Reader & Writer {
  return {
    get: (ref) => run({ verb: 'get', ref }, () => ports.get(ref)),
    getMetadata: (ref) => run({ verb: 'getMetadata', ref }, () => ports.getMetadata(ref)),
    list: (query) => run({ verb: 'list', ref: { ...query, name: '' } }, () => ports.list(query)),
    create: (object) => run({ verb: 'create', ref: refOf(object), object }, () => ports.create(object)),
    apply: (object, live, strays) => {
      const call = { verb: 'apply', ref: refOf(object), object, precondition: preconditionOf(live) } as const;
      return run(call, () => ports.apply(object, live, strays));
    },
    delete: (ref, precondition, propagation) =>
      run({ verb: 'delete', ref, precondition }, () => ports.delete(ref, precondition, propagation)),
    scale: (ref, precondition, replicas) =>
      run({ verb: 'scale', ref, precondition }, () => ports.scale(ref, precondition, replicas)),
    finalizers: (ref, precondition, finalizers) =>
      run({ verb: 'finalizers', ref, precondition }, () => ports.finalizers(ref, precondition, finalizers)),
    status: (ref, precondition, status) =>
      run({ verb: 'status', ref, precondition }, () => ports.status(ref, precondition, status)),
    notice: (about, notice) => run({ verb: 'notice', ref: refOf(about), notice }, () => ports.notice(about, notice)),
    nudge: (nudge) =>
      run({ verb: 'nudge', ref: { ...pods, namespace: nudge.namespace }, nudge }, () => ports.nudge(nudge)),
  };
}
