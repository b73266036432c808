import type { Tries } from '../../packages/controller/decide/back-off.ts';
import { refusalReason } from '../../packages/controller/decide/refusal.ts';
import { isSameStatus } from '../../packages/controller/decide/same-status.ts';
import { type Finding, toConditions } from '../../packages/controller/domain/conditions.ts';
import { messagePodName } from '../../packages/controller/domain/names.ts';
import type { Notice, Refusal, Status } from '../../packages/controller/domain/plan.ts';
import type { Fault } from './pod-fault.ts';
import type { Message, MessageStatus } from './types.ts';

/** What is true of the Pod of a Message. */
export type PodFinding =
  | { readonly is: 'ready' | 'starting' }
  /** In the words of the scheduler or the kubelet. */
  | { readonly is: 'blocked'; readonly trouble: string }
  | { readonly is: 'leaving' | 'foreign'; readonly name: string }
  | { readonly is: 'waiting'; readonly fault: Fault; readonly made: number; readonly until: string }
  | { readonly is: 'held'; readonly message: string }
  | { readonly is: 'refused'; readonly refusal: Refusal };

type Phase = NonNullable<MessageStatus['phase']>;

interface Verdict {
  readonly phase: Phase;
  readonly reason: string;
  readonly message: string;
}

/** The status of a Message, whether that is news, and what a person should hear of it. */
export function decideStatus(
  owner: Message,
  { finding, tries }: { readonly finding: PodFinding; readonly tries: Tries },
  now: string,
): { readonly status: Status; readonly changed: boolean; readonly notices: readonly Notice[] } {
  const verdict = judge(finding);
  const generation = owner.metadata.generation ?? 0;
  const { phase, reason, message } = verdict;
  const is = (type: string, holds: boolean): Finding => ({
    ...{ type, status: holds ? 'True' : 'False', reason, message },
    observedGeneration: generation,
  });
  const status = {
    phase,
    observedGeneration: generation,
    podName: messagePodName(owner.metadata.name),
    ...(tries.made > 0 && { attempts: tries.made }),
    ...(tries.last !== undefined && { lastAttempt: tries.last }),
    conditions: toConditions(
      [is('Ready', phase === 'Processed'), is('Reconciling', phase === 'Pending'), is('Stalled', phase === 'Failed')],
      owner.status?.conditions ?? [],
      now,
    ),
  } satisfies MessageStatus;
  const before = owner.status;
  return {
    status,
    changed: !isSameStatus(status, before),
    notices: before?.phase === phase ? [] : tell(verdict),
  };
}

function judge(finding: PodFinding): Verdict {
  switch (finding.is) {
    case 'ready':
      return { phase: 'Processed', reason: 'PodReady', message: 'The Pod prints the text' };
    case 'starting':
      return { phase: 'Pending', reason: 'PodStarting', message: 'The Pod is not ready yet' };
    case 'blocked':
      return { phase: 'Pending', reason: 'PodBlocked', message: `The Pod does not start: ${finding.trouble}` };
    case 'leaving':
      return {
        phase: 'Pending',
        reason: 'PodLeaving',
        message: `Waiting for ${finding.name} to go before its successor is made`,
      };
    case 'foreign':
      return {
        phase: 'Failed',
        reason: 'NameConflict',
        message: `${finding.name} exists and does not belong to this Message: delete it, or give the Message another name`,
      };
    case 'waiting':
      return { phase: 'Failed', reason: finding.fault.reason, message: waiting(finding) };
    case 'held':
      return { phase: 'Failed', reason: 'Flapping', message: finding.message };
    case 'refused':
      return { phase: 'Failed', ...refusalReason(finding.refusal) };
  }
}

/** The next event about the Message or its Pod brings the next Pod, or else the next resync. */
function waiting({ fault, made, until }: Extract<PodFinding, { is: 'waiting' }>): string {
  return `${fault.seen}. ${String(made)} Pods were made in a row; the next is not made before ${until}, and then with the next event or resync`;
}

function tell({ phase, reason, message }: Verdict): readonly Notice[] {
  switch (phase) {
    case 'Pending':
      return [];
    case 'Processed':
      return [{ type: 'Normal', reason: 'Processed', note: message }];
    case 'Failed':
      return [{ type: 'Warning', reason, note: message }];
  }
}
