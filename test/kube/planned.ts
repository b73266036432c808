import assert from 'node:assert/strict';
import type { Stem } from '../../functions/table.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { ParentPlan } from '../../packages/controller/domain/plan.ts';
import type { Arena } from './arena.ts';
import { postEvent } from './post.ts';

/** The plan of a function for an object. */
export async function planOf(arena: Arena, stem: Stem, about: KubeObject): Promise<ParentPlan> {
  const { status, body } = await postEvent(arena.functions.of(stem).url, about, { query: '?dryRun=All' });
  assert.equal(status, 200, body);
  const [plan] = (JSON.parse(body) as { readonly plans: readonly ParentPlan[] }).plans;
  assert.ok(plan);
  return plan;
}
