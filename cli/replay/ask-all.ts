import { asKnudgeError } from '../../packages/controller/domain/errors.ts';
import type { RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import { outgoingOf } from '../../packages/event-log/replay/outgoing.ts';
import { askPlan, type Planned } from './ask.ts';
import type { PlanningFunctions } from './functions.ts';

/** A function, and what it would write. */
export interface Asked {
  readonly function: string;
  readonly planned: Planned;
}

/** Asks each function that the Triggers would wake for an event what it would write now. */
export async function askAll(
  event: RecordedEvent,
  functions: PlanningFunctions,
  timeout: number,
): Promise<readonly Asked[]> {
  const outgoing = outgoingOf(event);
  const asked: Asked[] = [];
  for (const name of await functions.plannersFor(outgoing)) {
    const url = await functions.urlOf(name).catch(failedStart);
    asked.push({ function: name, planned: typeof url === 'string' ? await askPlan(url, outgoing, { timeout }) : url });
  }
  return asked;
}

/** One function that does not start keeps no other from its plan. */
function failedStart(thrown: unknown): Planned {
  const { code, message } = asKnudgeError(thrown);
  if (code !== 'unavailable') throw thrown;
  return { kind: 'failed', why: message };
}
