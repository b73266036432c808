import { asKnudgeError } from '../../../controller/domain/errors.ts';

/** The code of the error with which a call ends; empty where it does not. */
export async function codeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => '',
    (error: unknown) => asKnudgeError(error).code,
  );
}
