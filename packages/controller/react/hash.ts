import { createHash } from 'node:crypto';

/** 32 hexadecimal digits: they fit a label and a name, and two texts with the same are not to be found. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
