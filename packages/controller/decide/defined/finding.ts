import type { Refusal } from '../../domain/plan.ts';
import { refusalReason } from '../refusal.ts';
import type { Verdict } from './definition.ts';
import type { Fault } from './fault.ts';
import type { Ready } from './ready.ts';

/** What is true of the children of an owner. */
export type Finding =
  /** Nothing of the rest: the resource says itself how far it is. */
  | { readonly is: 'there' }
  | { readonly is: 'leaving' | 'foreign'; readonly kind: string; readonly names: readonly string[] }
  | {
      readonly is: 'waiting';
      readonly kind: string;
      readonly fault: Fault;
      readonly made: number;
      readonly until: string;
    }
  | { readonly is: 'overridden' | 'held'; readonly message: string }
  | { readonly is: 'refused'; readonly refusal: Refusal };

/** What the status of an owner of this kind says of that. */
export function judge(finding: Finding, owner: string, ready: () => Ready): Verdict {
  switch (finding.is) {
    case 'there':
      return verdictOf(ready());
    case 'leaving':
      return {
        state: 'pending',
        reason: `${finding.kind}Leaving`,
        message: `Waiting for ${finding.names.join(', ')} to go before its successor is made`,
      };
    case 'foreign':
      return {
        state: 'failed',
        reason: 'NameConflict',
        message: `${finding.names.join(', ')} exists and does not belong to this ${owner}: delete it, or give the ${owner} another name`,
      };
    case 'waiting':
      return { state: 'failed', reason: finding.fault.reason, message: waiting(finding) };
    case 'overridden':
      return { state: 'failed', reason: 'Overridden', message: finding.message };
    case 'held':
      return { state: 'failed', reason: 'Flapping', message: finding.message };
    case 'refused':
      return { state: 'failed', ...refusalReason(finding.refusal) };
  }
}

function verdictOf({ is, ...told }: Ready): Verdict {
  return { state: is ? 'ready' : 'pending', ...told };
}

/** The next event about the owner or its child brings the next one, or else the next resync. */
function waiting({ fault, kind, made, until }: Extract<Finding, { is: 'waiting' }>): string {
  return `${fault.seen}. ${String(made)} ${kind}s were made in a row; the next is not made before ${until}, and then with the next event or resync`;
}
