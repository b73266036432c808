import { KnudgeError } from '../domain/errors.ts';
import { describe, type KubeObject, type ObjectRef, refOf } from '../domain/kube-object.ts';
import { type Plan, type Precondition, type Refusal, targetOf, type Write } from '../domain/plan.ts';
import type { Trace, Writer } from '../domain/ports.ts';
import type { Repairs } from './repairs.ts';

/**
 * Writes what was decided, in its order; the status comes last (rule R3). Every write insists on the version that was
 * read (R2). Our own writes to the owner move its version: the next one insists on that.
 *
 * Gives the refusal of a write that no retry can help, and nothing when all went well. Other errors are thrown.
 */
export async function carryOut(
  plan: Plan,
  owner: KubeObject,
  {
    writer,
    trace,
    repairs,
  }: { readonly writer: Writer; readonly trace: Trace; readonly repairs?: Repairs | undefined },
): Promise<Refusal | undefined> {
  const written = new Set<string>();
  try {
    return await writeAll(plan, owner, {
      writer,
      told: (ref, write, owners) => {
        written.add(describe(ref));
        trace(write.do, { object: describe(ref) });
        repairs?.note(ref, write, owners);
      },
    });
  } finally {
    // Also where a later write failed: the next pass finds nothing to write there, and would report nothing.
    if (plan.nudge !== undefined && written.has(describe(plan.nudge.about))) await writer.nudge(plan.nudge);
  }
}

async function writeAll(
  plan: Plan,
  owner: KubeObject,
  { writer, told }: { readonly writer: Writer; readonly told: Repairs['note'] },
): Promise<Refusal | undefined> {
  let precondition = preconditionOf(owner);
  let latest = owner;
  for (const write of plan.writes) {
    const target = targetOf(write, refOf(owner));
    try {
      const written = await carryOutOne(write, { writer, owner: refOf(owner), precondition });
      const before = latest;
      if (written !== undefined) latest = written;
      precondition = preconditionOf(latest);
      told(target, write, { before, after: latest });
    } catch (error) {
      if (!(error instanceof KnudgeError) || error.retry !== 'refused' || write.do === 'status') throw error;
      return { code: error.code, ref: target, message: error.message };
    }
  }
  for (const notice of plan.notices) await writer.notice(latest, notice);
  return undefined;
}

interface At {
  readonly writer: Writer;
  readonly owner: ObjectRef;
  readonly precondition: Precondition;
}

/** Carries out one write; gives the owner as it is afterwards where the write was to the owner. */
async function carryOutOne(write: Write, { writer, owner, precondition }: At): Promise<KubeObject | undefined> {
  switch (write.do) {
    case 'create':
      await writer.create(write.object).catch((error: unknown) => {
        if (write.mayExist !== true || !(error instanceof KnudgeError) || error.code !== 'already-exists') throw error;
      });
      return undefined;
    case 'apply':
      await writer.apply(write.object, write.live, write.strays);
      return undefined;
    case 'delete':
      await writer.delete(write.ref, write.precondition, write.propagation);
      return undefined;
    case 'scale':
      await writer.scale(write.ref, write.precondition, write.replicas);
      return undefined;
    case 'finalizers':
      return await writer.finalizers(owner, precondition, write.finalizers);
    case 'status':
      return await writer.status(owner, precondition, write.status);
  }
}

function preconditionOf(object: KubeObject): Precondition {
  const { uid, resourceVersion } = object.metadata;
  if (uid === undefined || resourceVersion === undefined) {
    throw new KnudgeError('unexpected-answer', `${describe(refOf(object))} came without uid or resourceVersion`);
  }
  return { uid, resourceVersion };
}
