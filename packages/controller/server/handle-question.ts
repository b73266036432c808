import type { IncomingHttpHeaders } from 'node:http';
import { asKnudgeError, type KnudgeError } from '../domain/errors.ts';
import type { Asked, Reply } from '../domain/ports.ts';
import { parseJson } from '../wire/json.ts';
import { requireJson } from '../wire/media-type.ts';
import { withDeadline } from './deadline.ts';
import type { EventParts } from './handle-event.ts';
import { type Answer, answerError } from './respond.ts';

/** What a function does with a question of another program. */
export interface QuestionReaction {
  readonly to: 'question';
  readonly handle: (asked: Asked) => Promise<Reply>;
  /** Makes the body by which the asking program refuses what it asked about, where the function cannot answer because of this error. */
  readonly failed: (error: KnudgeError) => object;
}

export interface QuestionParts extends Omit<EventParts, 'reaction'> {
  readonly reaction: QuestionReaction;
}

/** A request whose body is still to be read; that may fail with a KnudgeError. */
interface Incoming {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: () => Promise<Buffer>;
}

/** Bytes. A question about one client has about a thousand; one with 64 names of full length has 16 thousand. */
export const longestQuestion = 64 * 1024;

/**
 * Seconds in which a function answers. A client of the asking program often gives up after ten seconds, and a function that sleeps needs
 * some of them to start.
 */
const longestThought = 5;

/**
 * The answer to one question. Never throws: a request that is not a question is refused as other functions refuse what is not an event.
 * Where the function cannot answer, the asking program gets what `failed` makes, with status 200, because only then it passes the reason
 * on.
 */
export async function answerQuestion(incoming: Incoming, parts: QuestionParts): Promise<Answer> {
  const { stem, reaction, config, log, metrics, now, after } = parts;
  const started = now();
  const line = (outcome: string) => ({ path: incoming.path, outcome, ms: Math.round((now() - started) * 10) / 10 });
  try {
    requireJson(incoming.headers['content-type'] ?? '');
    const asked = { path: incoming.path, body: parseJson(await incoming.body()) };
    const seconds = Math.min(config.handlerDeadlineSeconds, longestThought);
    const { json, outcome, fields } = await withDeadline(reaction.handle(asked), seconds, after);
    metrics.event(stem, outcome);
    log.info({ ...fields, ...line(outcome) }, 'question answered');
    return answerJson(json);
  } catch (thrown) {
    const error = asKnudgeError(thrown);
    metrics.event(stem, error.code);
    if (error.retry === 'bug') log.error({ ...line(error.code), err: error }, 'question failed');
    else log.warn({ ...line(error.code), error: error.message }, 'question not answered');
    return error.retry === 'never' ? answerError(error) : answerJson(reaction.failed(error));
  }
}

function answerJson(json: unknown): Answer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(json) };
}
