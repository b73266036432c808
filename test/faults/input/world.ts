import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Condition } from '../../../packages/controller/domain/conditions.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { endpointsCondition } from '../../../resources/distributed-service/envoy/live-endpoints.ts';
import { childName, childRoles } from '../../../resources/distributed-service/names.ts';
import type { DistributedServiceStatus } from '../../../resources/distributed-service/types.ts';
import type { MessageStatus } from '../../../resources/message/types.ts';
import { messagePodName } from '../../build/message-pod-name.ts';
import { testKubeconfig } from '../../kube/api.ts';
import { startFunctions } from '../../kube/functions.ts';
import { install, pathOf, put } from '../../kube/install.ts';
import { postEvent } from '../../kube/post.ts';
import { keptAlive } from './kept-alive.ts';
import { masked } from './masked.ts';

/** A parent as it is, as far as a test looks. */
export type Parent = KubeObject & {
  readonly spec?: unknown;
  readonly status?: Partial<DistributedServiceStatus & MessageStatus>;
};

/** Milliseconds. A Pod takes seconds, and minutes on a machine that has other things to do. */
const longestSettling = 120_000;

/** How many requests are under way at a time. */
export const atOnce = 16;

/**
 * A real API server and the two functions that make parents right, each as its own process and ServiceAccount. No event
 * comes by itself: a test posts one for each object that it wants looked at.
 */
export async function openWorld() {
  const kubeconfig = testKubeconfig();
  const api = await keptAlive(kubeconfig, atOnce);
  await install(api);
  const functions = await startFunctions(kubeconfig, { stems: ['message-changed', 'distributed-service-changed'] });
  const namespace = `bad-input-${randomUUID().slice(0, 8)}`;
  await put(api, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  /** How often a function answered what. */
  const answers = new Map<number, number>();

  const get = async (apiVersion: string, kind: string, name: string): Promise<KubeObject | undefined> => {
    const { status, body } = await api('GET', pathOf(apiVersion, kind, { namespace, name }));
    return status === 404 ? undefined : (body as KubeObject);
  };
  const look = async ({ apiVersion, kind, metadata }: KubeObject): Promise<Parent> => {
    const found = await get(apiVersion, kind, metadata.name);
    assert.ok(found, `${kind} ${metadata.name} is gone`);
    return found as Parent;
  };
  /** Has a function look at an object: done, or wanted again for a reason that passes; nothing else. */
  const post = async (object: KubeObject): Promise<void> => {
    const { url } = functions.of(object.kind === 'Message' ? 'message-changed' : 'distributed-service-changed');
    // Without a version: who posts it wants it looked at, and what has been read before would be known.
    const { resourceVersion: _, ...metadata } = object.metadata;
    const { status, body } = await postEvent(url, { ...object, metadata });
    answers.set(status, (answers.get(status) ?? 0) + 1);
    assert.ok([204, 429, 503].includes(status), `${object.kind} ${object.metadata.name}: ${status} ${body}`);
  };
  /** What an event would report in a cluster: the Pod or the Deployment is ready. Or it is something else: two seconds are enough. */
  const sleepUntilReady = async ({ kind, metadata: { name } }: KubeObject): Promise<void> => {
    for (let looks = 0; looks < 5; looks += 1) {
      await sleep(400);
      const child =
        kind === 'Message'
          ? await get('v1', 'Pod', messagePodName(name))
          : await get('apps/v1', 'Deployment', childName(name, 'tunnel'));
      if (isReady(child)) return;
    }
  };
  const childrenOf = ({ kind, metadata: { name } }: KubeObject): Promise<readonly (KubeObject | undefined)[]> =>
    kind === 'Message'
      ? Promise.all([get('v1', 'Pod', messagePodName(name))])
      : Promise.all(
          Object.entries(childRoles).map(([role, child]) =>
            get(child.apiVersion, child.kind, childName(name, role as keyof typeof childRoles)),
          ),
        );
  return {
    api,
    namespace,
    answers,
    get,
    look,
    post,
    put: (object: KubeObject) => write(api, { ...object, metadata: { ...object.metadata, namespace } }),
    remove: async ({ apiVersion, kind, metadata: { name } }: KubeObject): Promise<void> => {
      await api('DELETE', pathOf(apiVersion, kind, { namespace, name }), { query: { gracePeriodSeconds: '0' } });
    },
    /** Events until an object is right in all that it says; its children are then there and ready. */
    settle: async (object: KubeObject): Promise<void> => {
      const end = performance.now() + longestSettling;
      for (;;) {
        await post(object);
        const found = await look(object);
        if (isRight(found)) return;
        const { status, metadata } = found;
        const what = `${object.kind} ${metadata.name} is not right: ${JSON.stringify({ ...status, generation: metadata.generation })}`;
        assert.ok(performance.now() < end, what);
        await sleepUntilReady(object);
      }
    },
    /** The object and its children as texts that say nothing of which object it is. */
    stateOf: async (object: KubeObject): Promise<readonly string[]> => {
      const owner = await look(object);
      const children = await childrenOf(owner);
      return [
        masked({ ...owner, metadata: { name: owner.metadata.name } }, owner),
        ...children.map((child) => masked(child, owner)),
      ];
    },
    close: async (): Promise<void> => {
      await functions.stop();
      // Nobody is left to take our finalizers away, and the namespace must go: other tests use this cluster too.
      const { body } = await api('GET', pathOf('frp.io/v1beta1', 'DistributedService', { namespace }));
      const held = (body as { items: readonly KubeObject[] }).items.filter(({ metadata }) => metadata.finalizers);
      await forEach(held, async ({ metadata: { name } }) => {
        const path = pathOf('frp.io/v1beta1', 'DistributedService', { namespace, name });
        await api('PATCH', path, {
          body: { metadata: { finalizers: null } },
          contentType: 'application/merge-patch+json',
        });
      });
      await api('DELETE', pathOf('v1', 'Namespace', { name: namespace }));
    },
  };
}

function isReady(child: KubeObject | undefined): boolean {
  const { status } = (child ?? {}) as {
    status?: { availableReplicas?: number; conditions?: readonly { type: string; status: string }[] };
  };
  const ready = status?.conditions?.find(({ type }) => type === 'Ready' || type === 'Available');
  return ready?.status === 'True';
}

export type InputWorld = Awaited<ReturnType<typeof openWorld>>;

function isRight({ kind, metadata: { generation }, status = {} }: Parent): boolean {
  const { observedGeneration, conditions = [] } = status;
  const state = kind === 'Message' ? status.phase === 'Processed' : status.state === 'Running';
  return state && observedGeneration === generation && conditions.every(isMet);
}

/** Here no Envoy runs that could be asked; and two conditions say what is not so of what is right. */
function isMet({ type, status }: Condition): boolean {
  if (type === 'Reconciling' || type === 'Stalled') return status === 'False';
  return status === (type === endpointsCondition ? 'Unknown' : 'True');
}

/** Creates an object or replaces what it says: as JSON, because an apply is read as YAML, which takes fewer texts. */
async function write(api: Awaited<ReturnType<typeof keptAlive>>, object: KubeObject): Promise<KubeObject> {
  const { apiVersion, kind, metadata } = object;
  const { namespace = '', name } = metadata;
  let answer = await api('POST', pathOf(apiVersion, kind, { namespace }), { body: object });
  for (let tries = 0; answer.status === 409 && tries < 5; tries += 1) {
    const path = pathOf(apiVersion, kind, { namespace, name });
    const { metadata: known, status } = (await api('GET', path)).body as Parent;
    answer = await api('PUT', path, { body: { ...object, status, metadata: { ...known, ...metadata } } });
  }
  assert.ok(answer.status < 300, `${kind} ${name} was refused: ${JSON.stringify(answer.body)}`);
  return answer.body as KubeObject;
}

/** Does some work for each, this many at a time; all are done, then the first failures are thrown together. */
export async function forEach<Item>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<void>,
  many = atOnce,
): Promise<void> {
  const failures: string[] = [];
  const waiting = [...items.entries()];
  const go = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await work(next[1], next[0]).catch(
        (error: unknown) => void failures.push(error instanceof Error ? error.message : String(error)),
      );
    }
  };
  await Promise.all(Array.from({ length: many }, go));
  assert.equal(
    failures.length,
    0,
    `${failures.length} of ${items.length} failed:\n${failures
      .slice(0, 12)
      .map((text) => text.slice(0, 1500))
      .join('\n')}`,
  );
}
