import { describe, type KubeObject, refOf } from '../domain/kube-object.ts';
import type { Foreseen, Observed, Plan, Status, Write } from '../domain/plan.ts';
import { applied } from './applied.ts';
import { canonical } from './canonical.ts';
import { fieldsOf } from './fields-of.ts';

/** What each write of a plan would change of what was observed. */
export function foresee({ writes }: Plan, observed: Observed): readonly Foreseen[] {
  return writes.map((write) => foreseeOne(write, observed));
}

function foreseeOne(write: Write, { owner, ...others }: Observed): Foreseen {
  switch (write.do) {
    case 'create':
    case 'delete':
      return {};
    case 'apply': {
      const after = applied(write.object, write.live, write.strays && { strays: write.strays });
      const keys = write.object.kind === 'Secret' ? otherKeys(write.live, after) : [];
      return { after, ...(keys.length > 0 && { keys }) };
    }
    case 'scale': {
      const name = describe(write.ref);
      const live = [...others.children.values(), ...[...others.inputs.values()].flat()].find(
        (one) => one !== undefined && describe(refOf(one)) === name,
      );
      const replicas = fieldsOf(fieldsOf(live).get('spec')).get('replicas');
      const before = replicas === undefined ? {} : { before: { spec: { replicas } } };
      return { ...before, after: { spec: { replicas: write.replicas } } };
    }
    case 'finalizers': {
      const { finalizers = [] } = owner.metadata;
      return { before: { metadata: { finalizers } }, after: { metadata: { finalizers: write.finalizers } } };
    }
    case 'status':
      return { before: { status: statusOf(owner) }, after: { status: statusAfter(owner, write.status) } };
  }
}

function statusOf(owner: KubeObject): object {
  return Object.fromEntries(fieldsOf(fieldsOf(owner).get('status')));
}

/** A condition of somebody else stays; any other field that the status does not have goes. */
function statusAfter(owner: KubeObject, status: Status): object {
  const { status: after } = applied({ status }, owner, { subresource: 'status' });
  return Object.fromEntries(Object.entries(after).filter(([field]) => field in status));
}

function otherKeys(live: KubeObject, after: KubeObject): readonly string[] {
  const [before, now] = [live, after].map((object) => fieldsOf(fieldsOf(object).get('data')));
  const all = [...new Set([...(before?.keys() ?? []), ...(now?.keys() ?? [])])];
  return all.filter((key) => canonical(before?.get(key)) !== canonical(now?.get(key)));
}
