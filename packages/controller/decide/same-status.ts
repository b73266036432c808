import type { Condition } from '../domain/conditions.ts';
import { canonical } from './canonical.ts';

interface WithConditions {
  readonly conditions?: readonly Condition[];
}

/**
 * Whether the live status says what was decided. Conditions of types that are not decided here are another controller's: an
 * apply leaves them, so they are no difference.
 */
export function isSameStatus(decided: WithConditions, live: WithConditions | undefined): boolean {
  if (live === undefined) return false;
  const own = new Set(decided.conditions?.map(({ type }) => type));
  const conditions = live.conditions?.filter(({ type }) => own.has(type));
  return canonical(decided) === canonical({ ...live, ...(conditions && { conditions }) });
}
