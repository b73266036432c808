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
export async function carryOut(plan: Plan, owner: KubeObject, using: Using): Promise<Refusal | undefined> {
  const { writer } = using;
  const so: SoFar = { latest: owner, written: new Set(), isWhole: false };
  try {
    return await writeAll(plan, so, using);
  } finally {
    // Also where a later write failed: the next pass finds nothing to write there, and would report nothing.
    const isWritten = (ref: ObjectRef): boolean => so.written.has(describe(ref));
    for (const { of, ...notice } of plan.notices) {
      if (so.isWhole || of?.every(isWritten) === true) await writer.notice(so.latest, notice);
    }
    if (plan.nudge !== undefined && isWritten(plan.nudge.about)) await writer.nudge(plan.nudge);
  }
}

interface Using {
  readonly writer: Writer;
  readonly trace: Trace;
  readonly repairs?: Repairs | undefined;
}

interface SoFar {
  /** The owner as the last write to it left it. */
  latest: KubeObject;
  readonly written: Set<string>;
  isWhole: boolean;
}

async function writeAll(plan: Plan, so: SoFar, { writer, trace, repairs }: Using): Promise<Refusal | undefined> {
  const owner = refOf(so.latest);
  for (const write of plan.writes) {
    const target = targetOf(write, owner);
    const before = so.latest;
    try {
      so.latest = (await carryOutOne(write, { writer, owner, precondition: preconditionOf(before) })) ?? before;
    } catch (error) {
      if (!(error instanceof KnudgeError) || error.retry !== 'refused' || write.do === 'status') throw error;
      return { code: error.code, ref: target, message: error.message };
    }
    so.written.add(describe(target));
    trace(write.do, { object: describe(target) });
    repairs?.note(target, write, { before, after: so.latest });
  }
  so.isWhole = true;
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
