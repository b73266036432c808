import { KnudgeError } from '../../controller/domain/errors.ts';
import { answerJson, type LogAnswer, type LogRequest, refuse } from './request.ts';
import type { LogApiParts } from './route.ts';
import { letterAt, sendAgain } from './send-again.ts';

/** Sends a dead letter again, or discards it, with the note in the body; answers with the dead letter as it is then: open where it failed again meanwhile. */
export async function answerAction(
  request: LogRequest,
  action: 'retry' | 'discard',
  { log, send }: LogApiParts,
): Promise<LogAnswer> {
  const note = await noteIn(request);
  const { seq = '' } = request.params;
  const letter = /^\d{1,15}$/.test(seq) ? await letterAt(log, Number(seq)) : undefined;
  if (letter === undefined) return noLetter;
  if (action === 'discard') await log.mark(letter, 'discarded', note);
  else await sendAgain(letter, note, { log, send });
  const now = await letterAt(log, letter.seq);
  return now === undefined ? noLetter : answerJson(200, now);
}

const noLetter = refuse(404, 'there is no such dead letter, or no longer');

/** Characters of the longest note. */
const longestNote = 1000;

async function noteIn(request: LogRequest): Promise<string | undefined> {
  const text = (await request.body()).toString('utf8');
  if (text === '') return undefined;
  const { note } = parsed(text) as { readonly note?: unknown };
  if (note === undefined || (typeof note === 'string' && note.length <= longestNote)) return note;
  throw new KnudgeError('invalid-request', `the note must be a text of at most ${longestNote} characters`);
}

function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new KnudgeError('invalid-json', 'the body must be a JSON object such as {"note":"why"}, or empty');
}
