import { type Found, ok, unchecked, warning } from '../../../packages/controller/doctor/finding.ts';
import type { Seen } from '../seen.ts';

/** Checks for dead letters that are still open. */
export function judgeDeadLetters({ openDeadLetters }: Seen): readonly Found[] {
  if ('why' in openDeadLetters) return [unchecked(`open dead letters (${openDeadLetters.why})`)];
  const { value: open } = openDeadLetters;
  if (open === 0) return [ok('there is no open dead letter')];
  return [
    warning(
      `${open} dead letter${open === 1 ? ' is' : 's are'} open`,
      'a function could not do its work; the resync may have done it since',
      'see why by npx knudge dead-letters list, then retry or discard them',
    ),
  ];
}
