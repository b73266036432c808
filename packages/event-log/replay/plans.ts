import { describe } from '../../controller/domain/kube-object.ts';
import { type ParentPlan, targetOf, type Write } from '../../controller/domain/plan.ts';

/** What a function would write for one object. */
export type ObjectPlan = ParentPlan;

/** The plans in the answer to a dry run; a function that has nothing to do with the event answers without plans. */
export function plansIn(body: unknown): readonly ObjectPlan[] {
  const { plans = [] } = (typeof body === 'object' && body !== null ? body : {}) as {
    readonly plans?: readonly ObjectPlan[];
  };
  return plans;
}

const words: Readonly<Record<Write['do'], string>> = {
  create: 'create',
  apply: 'apply',
  delete: 'delete',
  scale: 'scale',
  finalizers: 'set the finalizers of',
  status: 'set the status of',
};

/** `apply ConfigMap shop/settings`: one line for each write of a plan, in their order. */
export function writesOf({ ref, plan }: ObjectPlan): readonly string[] {
  return plan.writes.map((write) => `${words[write.do]} ${describe(targetOf(write, ref))}`);
}
