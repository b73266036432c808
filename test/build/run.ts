import { createHash } from 'node:crypto';
import { counted, type Metered } from '../../packages/controller/cluster/counted.ts';
import type { Given, Resource } from '../../packages/controller/decide/resource.ts';
import type { KubeObject, ObjectRef } from '../../packages/controller/domain/kube-object.ts';
import { reconcile } from '../../packages/controller/reconcile/reconcile.ts';
import { resourcesWith, type Tools } from '../../resources/managed/resources.ts';
import { given } from './objects.ts';
import { tools } from './tools.ts';

type Options = Partial<Omit<Given, 'facts' | 'refusal' | 'byResync'>> & {
  readonly tries?: boolean;
  readonly wakes?: boolean;
  /** What events were about: then a look may be enough. */
  readonly about?: readonly ObjectRef[];
  readonly dryRun?: boolean;
  readonly askTunnel?: Tools['askTunnel'];
  readonly images?: Tools['images'];
  /** Instead of Knudge's own. */
  readonly resources?: readonly Resource[];
};

let tokens = 0;

function newToken(): string {
  tokens += 1;
  return `token-${tokens}`;
}

/** One reconcile on a cluster, as a function does it, within its budget and with its counts; without waiting between tries. */
export async function reconcileOn(
  cluster: Metered,
  ref: ObjectRef,
  { dryRun = false, tries = false, wakes = false, about, askTunnel, images, resources, ...over }: Options = {},
) {
  const within = { about: 'a reconcile', milliseconds: Number.POSITIVE_INFINITY, elapsed: () => 0 };
  const { reader, writer, counts, allow, trial } = counted(cluster, {
    ...within,
    budget: { reads: 0, writes: 0, bytes: 0 },
  });
  const result = await reconcile(ref, {
    reader,
    writer,
    resources: resources ?? resourcesWith(tools({ newToken, askTunnel, ...(images && { images }) })),
    asks: true,
    trace: () => {},
    allow,
    given: () => ({
      now: given().now,
      controllerNamespace: given().controllerNamespace,
      hash: (text) => createHash('sha256').update(text).digest('hex').slice(0, 32),
      ...over,
    }),
    pause: () => Promise.resolve(),
    dryRun,
    trial,
    tries,
    wakes,
    about,
  });
  return { result: result.result, ...(result.plans && { plans: result.plans }), ...counts() };
}

/** What the Deployment controller and a kubelet would make of a Deployment: all of its replicas are available. */
export function rolledOut(deployment: KubeObject): KubeObject {
  const { generation = 1 } = deployment.metadata;
  const status = { observedGeneration: generation, replicas: 1, updatedReplicas: 1, availableReplicas: 1 };
  return { ...deployment, status } as KubeObject;
}
