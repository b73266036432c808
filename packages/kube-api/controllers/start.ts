import type { KubeObject, ObjectRef } from '../../controller/domain/kube-object.ts';
import type { Client } from '../client.ts';
import { ApiProblem } from '../http/problem.ts';
import type { Controller } from './controller.ts';
import { deploymentController } from './deployment.ts';
import { endpointSliceController } from './endpoint-slice.ts';
import { fakeNode, nodeController } from './fake-node.ts';
import { namespaceController } from './namespace.ts';
import { replicaSetController } from './replica-set.ts';

export interface ControllerOptions {
  readonly client: Client;
  /** RFC 3339, whole seconds. */
  readonly now: () => string;
  /** Runs a task soon, after what is being done now. */
  readonly schedule: (task: () => void) => void;
}

/** So many objects at a time: requests have their turn between. */
const atOnce = 50;
/** A write that was refused is tried again so often; after that the next change of the object is its next chance. */
const mostTries = 5;

interface Due {
  readonly controller: Controller;
  readonly ref: ObjectRef;
  readonly tries: number;
}

/**
 * Starts the controllers that a cluster would have, as far as Knudge rests on them: Deployments, ReplicaSets,
 * EndpointSlices, namespaces, and one node on which every Pod becomes ready. Gives the way to stop them.
 */
export function startControllers({ client, now, schedule }: ControllerOptions): () => void {
  const controllers = [
    namespaceController,
    nodeController(),
    replicaSetController,
    deploymentController,
    endpointSliceController,
  ];
  const queue = new Map<string, Due>();
  let waiting = false;
  let stopped = false;
  if (client.get({ apiVersion: 'v1', kind: 'Node', namespace: '', name: fakeNode }) === undefined) {
    client.create(nodeObject(now()));
  }
  const stopListening = client.subscribe(({ object }) => notice(object));
  for (const object of client.all()) notice(object);

  function notice(object: KubeObject): void {
    for (const [index, controller] of controllers.entries()) {
      for (const ref of controller.concerns(object, client))
        put(`${index} ${ref.kind} ${ref.namespace}/${ref.name}`, { controller, ref, tries: 0 });
    }
  }

  function put(key: string, due: Due): void {
    if (!queue.has(key)) queue.set(key, due);
    if (waiting || stopped) return;
    waiting = true;
    schedule(work);
  }

  function work(): void {
    waiting = false;
    if (stopped) return;
    for (const [key, due] of [...queue].slice(0, atOnce)) {
      queue.delete(key);
      if (!succeeds(due) && due.tries < mostTries) put(key, { ...due, tries: due.tries + 1 });
    }
    if (queue.size > 0 && !waiting) {
      waiting = true;
      schedule(work);
    }
  }

  function succeeds({ controller, ref }: Due): boolean {
    try {
      controller.reconcile(ref, { client, now });
      return true;
    } catch (error) {
      if (error instanceof ApiProblem) return false;
      throw error;
    }
  }

  return () => {
    stopped = true;
    stopListening();
  };
}

/** A node without a machine. */
function nodeObject(now: string): KubeObject {
  const condition = {
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    message: 'this node runs nothing: its Pods only say that they are ready',
  };
  const capacity = { cpu: '1k', memory: '1Ti', pods: '1M' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: fakeNode, labels: { 'kubernetes.io/hostname': fakeNode, 'kubernetes.io/os': 'linux' } },
    spec: {},
    status: {
      capacity,
      allocatable: capacity,
      conditions: [{ ...condition, lastHeartbeatTime: now, lastTransitionTime: now }],
    },
  } as KubeObject;
}
