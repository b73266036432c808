import { isTime } from './time.ts';

/** A condition as `metav1.Condition` has it. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
}

/** A condition as somebody else may have written it. */
export interface LiveCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** A condition as decided: its time is not known yet. */
export type Finding = Omit<Condition, 'lastTransitionTime'>;

/** A condition before it is settled of which generation it speaks. */
export type Answer = Omit<Finding, 'observedGeneration'>;

/** The longest message that both CRDs take. */
const longestMessage = 1024;

/**
 * The findings as conditions, sorted by type. A condition keeps its time as long as its status stays, so that
 * deciding the same again gives the same bytes (rule R4).
 */
export function toConditions(
  findings: readonly Finding[],
  before: readonly Condition[],
  now: string,
): readonly Condition[] {
  return findings
    .map((finding) => {
      const old = before.find(({ type }) => type === finding.type);
      const since = old?.status === finding.status ? old.lastTransitionTime : undefined;
      const lastTransitionTime = isTime(since) ? since : now;
      return { ...finding, message: messageOf(finding), lastTransitionTime };
    })
    .sort((a, b) => (a.type < b.type ? -1 : 1));
}

/** As the API server stores it: with U+FFFD for half of a surrogate pair, where this or somebody else has cut a text. */
function messageOf({ message }: Finding): string {
  return message.slice(0, longestMessage).toWellFormed();
}
