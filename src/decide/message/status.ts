import { type Finding, toConditions } from '../../domain/conditions.ts';
import type { Message, MessageStatus } from '../../domain/message.ts';
import { messagePodName } from '../../domain/names.ts';
import type { Notice, Refusal, Status } from '../../domain/plan.ts';
import { refusalReason } from '../refusal.ts';
import { isSameStatus } from '../same-status.ts';

/** What is true of the Pod of a Message. */
export type PodFinding =
  | { readonly is: 'ready' | 'starting' }
  | { readonly is: 'leaving' | 'foreign'; readonly name: string }
  | { readonly is: 'refused'; readonly refusal: Refusal };

type Phase = NonNullable<MessageStatus['phase']>;

interface Verdict {
  readonly phase: Phase;
  readonly status: Finding['status'];
  readonly reason: string;
  readonly message: string;
}

/** The status of a Message, whether that is news, and what a person should hear of it. */
export function decideStatus(
  owner: Message,
  finding: PodFinding,
  now: string,
): { readonly status: Status; readonly changed: boolean; readonly notices: readonly Notice[] } {
  const verdict = judge(finding);
  const generation = owner.metadata.generation ?? 0;
  const ready: Finding = {
    type: 'Ready',
    status: verdict.status,
    reason: verdict.reason,
    message: verdict.message,
    observedGeneration: generation,
  };
  const status = {
    phase: verdict.phase,
    observedGeneration: generation,
    podName: messagePodName(owner.metadata.name),
    conditions: toConditions([ready], owner.status?.conditions ?? [], now),
  } satisfies MessageStatus;
  const before = owner.status;
  return {
    status,
    changed: !isSameStatus(status, before),
    notices: before?.phase === verdict.phase ? [] : tell(verdict),
  };
}

function judge(finding: PodFinding): Verdict {
  switch (finding.is) {
    case 'ready':
      return { phase: 'Processed', status: 'True', reason: 'PodReady', message: 'The Pod prints the text' };
    case 'starting':
      return { phase: 'Pending', status: 'False', reason: 'PodStarting', message: 'The Pod is not ready yet' };
    case 'leaving':
      return {
        phase: 'Pending',
        status: 'False',
        reason: 'PodLeaving',
        message: `Waiting for ${finding.name} to go before its successor is made`,
      };
    case 'foreign':
      return {
        phase: 'Failed',
        status: 'False',
        reason: 'NameConflict',
        message: `${finding.name} exists and does not belong to this Message: delete it, or give the Message another name`,
      };
    case 'refused':
      return { phase: 'Failed', status: 'False', ...refusalReason(finding.refusal) };
  }
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
