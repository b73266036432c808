import { describe, type KubeObject, refOf } from '../domain/kube-object.ts';
import type { Foreseen, Observed, Plan, Status, Write } from '../domain/plan.ts';
import type { Shape } from '../domain/shape.ts';
import { applied } from './applied.ts';
import { canonical } from './canonical.ts';
import { fieldsOf } from './fields-of.ts';

/** Gives the shape of an object by its kind. */
export type ShapeOf = (object: KubeObject) => Shape;

/** What each write of a plan would change of what was observed, as far as that can be known without the API server. */
export function foresee({ writes }: Plan, observed: Observed, shapeOf: ShapeOf): readonly Foreseen[] {
  return writes.map((write) => foreseeOne(write, observed, shapeOf));
}

function foreseeOne(write: Write, { owner, ...others }: Observed, shapeOf: ShapeOf): Foreseen {
  switch (write.do) {
    case 'create':
    case 'delete':
      return {};
    case 'apply': {
      const { object, live, strays = [] } = write;
      const after = applied(object, live, { shape: shapeOf(live), strays });
      const keys = object.kind === 'Secret' ? otherKeys(live, after) : [];
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
      return {
        before: { status: statusOf(owner) },
        after: { status: statusAfter(write.status, { owner, shape: shapeOf(owner) }) },
      };
  }
}

function statusOf(owner: KubeObject): object {
  return Object.fromEntries(fieldsOf(fieldsOf(owner).get('status')));
}

/** A condition of somebody else stays; any other field that the status does not have goes. */
function statusAfter(status: Status, { owner, shape }: { readonly owner: KubeObject; readonly shape: Shape }): object {
  const { status: after } = applied({ status }, owner, { shape, subresource: 'status' });
  return Object.fromEntries(Object.entries(after).filter(([field]) => field in status));
}

/** The keys of a Secret's data that differ. */
export function otherKeys(live: KubeObject, after: KubeObject): readonly string[] {
  const [before, now] = [live, after].map((object) => fieldsOf(fieldsOf(object).get('data')));
  const all = [...new Set([...(before?.keys() ?? []), ...(now?.keys() ?? [])])];
  return all.filter((key) => canonical(before?.get(key)) !== canonical(now?.get(key)));
}
