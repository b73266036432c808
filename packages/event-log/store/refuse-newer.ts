import { KnudgeError } from '../../controller/domain/errors.ts';

/** Throws `invalid-request` if a log has a schema that this Knudge does not know. */
export function refuseNewer(found: number, known: number): void {
  if (found <= known) return;
  throw new KnudgeError(
    'invalid-request',
    `the event log has schema ${found} and this Knudge knows ${known}: a newer one wrote it, so use that one, or another log`,
  );
}
