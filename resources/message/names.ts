import { fitted } from '../../packages/controller/domain/names.ts';

/** `msg-<name>`: the Pod of a Message. */
export function messagePodName(name: string): string {
  return fitted(`msg-${name}`, '');
}
