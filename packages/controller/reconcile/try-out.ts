import { applied, settled } from '../decide/applied.ts';
import { preconditionOf } from '../decide/children.ts';
import { foresee, otherKeys, type ShapeOf } from '../decide/foresee.ts';
import { mergePatch } from '../decide/merge-patch.ts';
import { KnudgeError } from '../domain/errors.ts';
import { type KubeObject, refOf } from '../domain/kube-object.ts';
import type { Foreseen, Observed, Plan, Write } from '../domain/plan.ts';
import type { Trial } from '../domain/ports.ts';

interface Using {
  readonly shapeOf: ShapeOf;
  /** Absent where no API server can be asked. */
  readonly trial: Trial | undefined;
}

/**
 * What each write of a plan would change: the API server is asked, so that what it and its webhooks would fill in or refuse is known.
 * Where it refuses, what the function expects stands beside the refusal. A dry run alone loads this file, in a bundle as a file of its
 * own, which does not know the kinds that were added: the caller brings `shapeOf`. Fails with `conflict` where an object has changed
 * since it was observed, and with `unavailable` and `throttled` as a read does.
 */
export async function tryOut(plan: Plan, observed: Observed, { shapeOf, trial }: Using): Promise<readonly Foreseen[]> {
  const expected = foresee(plan, observed, shapeOf);
  if (trial === undefined) return expected;
  const all: Foreseen[] = [];
  for (const [index, write] of plan.writes.entries()) {
    const one = expected[index] ?? {};
    all.push(await answered(() => tryOne(write, one, { owner: observed.owner, shapeOf, trial }), one));
  }
  return all;
}

/** These say that the plan itself could not be made. */
const noAnswer: ReadonlySet<string> = new Set(['conflict', 'unavailable', 'throttled']);

async function answered(ask: () => Promise<Foreseen>, expected: Foreseen): Promise<Foreseen> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof KnudgeError) || noAnswer.has(error.code)) throw error;
    return { ...expected, refusal: error.message };
  }
}

interface At {
  readonly owner: KubeObject;
  readonly shapeOf: ShapeOf;
  readonly trial: Trial;
}

async function tryOne(write: Write, expected: Foreseen, { owner, shapeOf, trial }: At): Promise<Foreseen> {
  const own = [refOf(owner), preconditionOf(owner)] as const;
  switch (write.do) {
    case 'create':
      await trial.create(write.object).catch((error: unknown) => {
        if (write.mayExist !== true || !(error instanceof KnudgeError) || error.code !== 'already-exists') throw error;
      });
      return expected;
    case 'apply': {
      const { object, live, strays = [] } = write;
      // What the apply would make of it, and not the apply itself: before the first one an entry of managedFields is renamed, which a
      // try does not keep for the next (packages/controller/cluster/apply.ts).
      const wanted = applied(object, live, { shape: shapeOf(live), strays, refills: true });
      const merge = mergePatch(settled(live), wanted);
      const after = settled(await trial.patch(refOf(object), preconditionOf(live), { merge }));
      const keys = object.kind === 'Secret' ? otherKeys(live, after) : [];
      return { after, ...(keys.length > 0 && { keys }) };
    }
    case 'delete':
      return expected;
    case 'scale':
      await trial.scale(write.ref, write.precondition, write.replicas);
      return expected;
    case 'finalizers': {
      const { metadata } = await trial.patch(...own, { merge: mergeOf(expected) });
      return { ...expected, after: { metadata: { finalizers: metadata.finalizers ?? [] } } };
    }
    case 'status': {
      const after = await trial.patch(...own, { merge: mergeOf(expected), subresource: 'status' });
      const { status = {} } = after as KubeObject & { readonly status?: object };
      return { ...expected, after: { status } };
    }
  }
}

function mergeOf({ before = {}, after = {} }: Foreseen): Readonly<Record<string, unknown>> {
  return mergePatch(before, after);
}
