import type { KubeObject, ObjectRef } from '../../controller/domain/kube-object.ts';
import type { Client } from '../client.ts';
import { ApiProblem } from '../http/problem.ts';
import type { Controller } from './controller.ts';
import { deploymentController } from './deployment.ts';
import { endpointSliceController } from './endpoint-slice.ts';
import { fakeNode, nodeController, type OtherNode } from './fake-node.ts';
import { jobController } from './job.ts';
import { namespaceController } from './namespace.ts';
import { replicaSetController } from './replica-set.ts';

/** What the controllers work with. */
export interface ControllerOptions {
  /** Of the API whose objects they look after. */
  readonly client: Client;
  /** RFC 3339, whole seconds. */
  readonly now: () => string;
  /** Runs a task soon, after the current one. */
  readonly schedule: (task: () => void) => void;
  /** A node with a kubelet of its own, which runs the Pods whose programs it has. */
  readonly otherNode?: OtherNode | undefined;
}

/** Objects at a time: requests have their turn between. */
const atOnce = 50;
/** A refused write is tried again this often; after that only a change of the object tries it again. */
const mostTries = 5;

interface Due {
  readonly controller: Controller;
  readonly ref: ObjectRef;
  readonly tries: number;
}

/**
 * Starts the controllers of a cluster that Knudge depends on: Deployments, ReplicaSets, Jobs,
 * EndpointSlices, namespaces, and one node on which every Pod becomes ready, and that of a Job succeeds. Returns the function that stops them.
 */
export function startControllers({ client, now, schedule, otherNode }: ControllerOptions): () => void {
  const controllers = [
    namespaceController,
    nodeController(otherNode),
    replicaSetController,
    deploymentController,
    jobController,
    endpointSliceController,
  ];
  const queue = new Map<string, Due>();
  let waiting = false;
  let stopped = false;
  for (const [name, does] of nodesOf(otherNode)) {
    if (client.get({ apiVersion: 'v1', kind: 'Node', namespace: '', name }) !== undefined) continue;
    client.create(nodeObject(name, does, now()));
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

/** Nodes by their names, with what they say of themselves. */
function nodesOf(other: OtherNode | undefined): readonly (readonly [string, string])[] {
  const fake = [
    fakeNode,
    'this node runs nothing: its Pods only report that they are ready, and those of Jobs that they have succeeded',
  ] as const;
  return other === undefined ? [fake] : [fake, [other.name, 'this node runs Pods as processes']];
}

function nodeObject(name: string, message: string, now: string): KubeObject {
  const condition = {
    type: 'Ready',
    status: 'True',
    reason: 'KubeletReady',
    message,
  };
  const capacity = { cpu: '1k', memory: '1Ti', pods: '1M' };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' } },
    spec: {},
    status: {
      capacity,
      allocatable: capacity,
      conditions: [{ ...condition, lastHeartbeatTime: now, lastTransitionTime: now }],
    },
  } as KubeObject;
}
