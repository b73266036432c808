import { type Found, ok, unchecked, warning } from '../finding.ts';
import type { Seen } from '../seen.ts';

/** Are there events that were given up and that nobody has looked at? */
export function judgeDeadLetters({ openDeadLetters }: Seen): readonly Found[] {
  if ('why' in openDeadLetters) return [unchecked(`open dead letters (${openDeadLetters.why})`)];
  const { value: open } = openDeadLetters;
  if (open === 0) return [ok('there is no open dead letter')];
  return [
    warning(
      `${open} dead letter${open === 1 ? ' is' : 's are'} open`,
      'a function could not do its work; what it left undone the resync may have found since',
      'see why by npx knudge dead-letters list, then retry or discard them',
    ),
  ];
}
