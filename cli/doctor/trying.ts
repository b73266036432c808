import type { Read } from '../../packages/controller/doctor/own-checks.ts';
import { asKnudgeError } from '../../packages/controller/domain/errors.ts';

/** What was read, or why it cannot be read. Never rejects. */
export async function trying<Value>(read: () => Promise<Value>): Promise<Read<Value>> {
  try {
    return { value: await read() };
  } catch (error) {
    return { why: asKnudgeError(error).message };
  }
}
