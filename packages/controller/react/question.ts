import { createHash, timingSafeEqual } from 'node:crypto';
import type { KnudgeError } from '../domain/errors.ts';
import type { QuestionContext, QuestionHandler } from '../domain/ports.ts';
import type { QuestionReaction } from '../server/handle-question.ts';
import { hashOf } from './hash.ts';

/** A row of the table of functions. */
export interface QuestionFunction {
  readonly stem: string;
  readonly handle: QuestionHandler;
  readonly failed: (error: KnudgeError) => object;
}

/** What a function does that answers the questions of another program. */
export function reactToQuestions(
  { handle, failed }: Omit<QuestionFunction, 'stem'>,
  cluster: Pick<QuestionContext, 'reader' | 'controllerNamespace'>,
): QuestionReaction {
  return { to: 'question', handle: (asked) => handle(asked, { ...cluster, hash: hashOf, isSame, md5 }), failed };
}

/** Of their digests, which have one length: the time reveals neither where two texts differ nor how long they are. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return left !== undefined && right !== undefined && timingSafeEqual(left, right);
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
