import type { Resource } from '../decide/resource.ts';
import { describe, type KubeObject, refOf } from '../domain/kube-object.ts';
import type { Observed } from '../domain/plan.ts';
import type { Writer } from '../domain/ports.ts';

/** What the API server answered to the writes of one pass. */
export interface Answers {
  /** The same writer, listening. */
  readonly writer: Writer;
  /** Objects as they were written, in that order. */
  all(): readonly KubeObject[];
  /** Whether each write was answered with its object: a deletion is not, nor is what failed. */
  areWhole(): boolean;
}

/** Listens to the answers of a writer. Events for people and nudges are no writes to what is reconciled. */
export function keepAnswers(writer: Writer): Answers {
  const answers: KubeObject[] = [];
  let isWhole = true;
  const heard = async (written: Promise<KubeObject>): Promise<KubeObject> => {
    try {
      const object = await written;
      answers.push(object);
      return object;
    } catch (error) {
      isWhole = false;
      throw error;
    }
  };
  const unanswered = (written: Promise<void>): Promise<void> => {
    isWhole = false;
    return written;
  };
  return {
    writer: {
      ...writer,
      create: (object) => heard(writer.create(object)),
      apply: (object, live, strays) => heard(writer.apply(object, live, strays)),
      finalizers: (ref, precondition, finalizers) => heard(writer.finalizers(ref, precondition, finalizers)),
      status: (ref, precondition, status) => heard(writer.status(ref, precondition, status)),
      delete: (ref, precondition, propagation) => unanswered(writer.delete(ref, precondition, propagation)),
      scale: (ref, precondition, replicas) => unanswered(writer.scale(ref, precondition, replicas)),
    },
    all: () => answers,
    areWhole: () => isWhole,
  };
}

/**
 * What was observed, with each object that the pass has written as the API server answered it. Undefined where these answers do not show
 * all that the pass has changed: a write was answered without its object, or was to an object that is neither the owner nor its child.
 */
export function withAnswers(
  { owner, children, inputs }: Observed,
  resource: Pick<Resource, 'children'>,
  answers: Pick<Answers, 'all' | 'areWhole'>,
): Observed | undefined {
  if (!answers.areWhole()) return undefined;
  const written = new Map(answers.all().map((object) => [describe(refOf(object)), object]));
  const take = (name: string): KubeObject | undefined => {
    const object = written.get(name);
    written.delete(name);
    return object;
  };
  const ref = refOf(owner);
  const own = take(describe(ref));
  const changed = [...resource.children(ref)].map(
    ([role, child]) => [role, take(describe(child)) ?? children.get(role)] as const,
  );
  return written.size > 0 ? undefined : { owner: own ?? owner, children: new Map(changed), inputs };
}
