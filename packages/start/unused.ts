import { KnudgeError } from '../controller/domain/errors.ts';
import type { EventContext } from '../controller/domain/ports.ts';

/** What a function asks for whose row does not say that it uses it. */
export function unused(stem: string, what: string): () => Promise<never> {
  return async () => {
    throw new KnudgeError('internal', `${stem} asks for the ${what}: its row in functions/table.ts must say so`);
  };
}

/** The event log of a function whose row does not say that it uses it. */
export function noLog(stem: string): EventContext['eventLog'] {
  const none = unused(stem, 'event log');
  return { append: none, appendDeadLetter: none, appendDeliveries: none };
}
