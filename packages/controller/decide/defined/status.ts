import { type Finding as Condition, toConditions } from '../../domain/conditions.ts';
import type { Notice, Status } from '../../domain/plan.ts';
import type { Tries } from '../back-off.ts';
import { isSameStatus } from '../same-status.ts';
import type { Verdict } from './definition.ts';
import type { Told, ToldStatus } from './told.ts';

/** The status of an owner, whether that is news, and the Kubernetes Events about it. */
export interface StatusDecision {
  readonly status: Status;
  readonly isNews: boolean;
  readonly notices: readonly Notice[];
}

/** What the status says: `own` of the resource's, and the rest of the engine's. */
export function decideStatus(
  owner: Told,
  { verdict, own, tries }: { verdict: Verdict; own: object; tries: Tries | undefined },
  now: string,
): StatusDecision {
  const { state, reason, message } = verdict;
  const observedGeneration = owner.metadata.generation ?? 0;
  const is = (type: string, holds: boolean): Condition => ({
    type,
    status: holds ? 'True' : 'False',
    reason,
    message,
    observedGeneration,
  });
  const before = owner.status;
  const found = [
    is('Ready', state === 'ready'),
    is('Reconciling', state === 'pending'),
    is('Stalled', state === 'failed'),
  ];
  const status = {
    ...own,
    observedGeneration,
    ...(tries !== undefined && tries.made > 0 && { attempts: tries.made }),
    ...(tries?.last !== undefined && { lastAttempt: tries.last }),
    conditions: toConditions(found, before?.conditions ?? [], now),
  } satisfies ToldStatus;
  const notices = stateIn(before) === state ? [] : tell(verdict);
  return { status, isNews: !isSameStatus(status, before), notices };
}

/** What the status said before; undefined where it said nothing. */
function stateIn(status: ToldStatus | undefined): Verdict['state'] | undefined {
  const holds = (wanted: string) =>
    status?.conditions?.some(({ type, status: is }) => type === wanted && is === 'True');
  if (holds('Ready')) return 'ready';
  if (holds('Stalled')) return 'failed';
  return holds('Reconciling') ? 'pending' : undefined;
}

function tell({ state, reason, message, event = reason }: Verdict): readonly Notice[] {
  switch (state) {
    case 'pending':
      return [];
    case 'ready':
      return [{ type: 'Normal', reason: event, note: message }];
    case 'failed':
      return [{ type: 'Warning', reason, note: message }];
  }
}
