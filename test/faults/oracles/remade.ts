import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../../../packages/controller/domain/names.ts';
import type { Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { nameOf, pick } from '../../../packages/controller/testing/trace-words.ts';
import { annotations } from '../../../resources/distributed-service/names.ts';
import { isOk, keyOf } from './accessors.ts';
import { lastRead, passesOf } from './passes.ts';

export interface Remade {
  readonly what: string;
  readonly at: number;
}

/**
 * Children of a living service that Knudge deletes although an update would do: a Service loses its address and what its labels claim, a
 * tunnel its session. And tunnels that do not wait for their Pods: for a moment there are two of one proxy.
 */
export function remadeIn(trace: Trace): readonly Remade[] {
  return passesOf(trace).flatMap((pass) => {
    const { object: owner } = lastRead(pass, 'owner');
    if (owner === undefined || owner.metadata.deletionTimestamp !== undefined) return [];
    return pass.steps.flatMap(({ call, role }): readonly Remade[] => {
      if (call.verb !== 'delete' || !isOk(call.done.status)) return [];
      const { object: child } = lastRead(pass, role, call.at);
      const successors = trace.calls.filter((later) => isMadeAfter(later, call));
      const isWanted = alwaysThere.has(role) || successors.some(({ run }) => run === call.run);
      // In the meantime another run may have made it, for what was wanted then; or somebody has taken its place, and it could not be made.
      const successor = (
        successors.find(({ done }) => isOk(done.status)) ?? successors.find(({ run }) => run === call.run)
      )?.body;
      const isNeedless = child !== undefined && isWanted && !isOtherwiseMade(role, child, { owner, successor });
      const isHasty = role === 'tunnel' && pick(call.body, 'propagationPolicy') !== 'Foreground';
      return [
        ...(isNeedless
          ? [{ what: `${nameOf(call.ref)} was deleted where an update would have done`, at: call.at }]
          : []),
        ...(isHasty ? [{ what: `${nameOf(call.ref)} was deleted without waiting for its Pods`, at: call.at }] : []),
      ];
    });
  });
}

/** These two are there as long as the service is; of the others it shows by their being made again in the same run. */
const alwaysThere: ReadonlySet<string> = new Set(['tunnel', 'balanced']);

function isMadeAfter(later: TracedCall, call: TracedCall): boolean {
  return later.verb === 'create' && later.at > call.at && keyOf(later.ref) === keyOf(call.ref);
}

/** Whether somebody made it with another of what the API server lets nobody change. */
function isOtherwiseMade(
  role: string,
  child: KubeObject,
  { owner, successor }: { readonly owner: KubeObject; readonly successor: unknown },
): boolean {
  // Of a Pod almost nothing may be changed.
  if (role === 'pod') return true;
  if (role === 'backends') return pick(child, 'spec', 'clusterIP') !== 'None';
  // Its token must not be shown to another server, and it is immutable.
  if (role === 'identity') return isOfAnotherServer(child, successor);
  if (role !== 'tunnel') return false;
  const selected = pick(child, 'spec', 'selector', 'matchLabels');
  return pick(selected, labels.ownerUid) !== owner.metadata.uid || Object.keys(Object(selected)).length !== 3;
}

function isOfAnotherServer(child: unknown, successor: unknown): boolean {
  const [before, after] = [child, successor].map((one) => pick(one, 'metadata', 'annotations', annotations.server));
  return before !== undefined && after !== undefined && before !== after;
}
