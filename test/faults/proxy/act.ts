import type { DescribedCall } from '../../../packages/controller/testing/calls/describe-call.ts';
import {
  type ApiAnswer,
  answerInstead,
  garbled,
  shortened,
} from '../../../packages/controller/testing/calls/spoilt-answer.ts';
import type { Action, Fault, Meddling } from '../../../packages/controller/testing/fault.ts';
import type { Past } from './past.ts';

/** What becomes of a call after an action. */
export type Verdict =
  | { readonly kind: 'goes-on' }
  | { readonly kind: 'answered'; readonly answer: ApiAnswer }
  | { readonly kind: 'silence' | 'reset' | 'crash' };

export interface Acting {
  readonly call: DescribedCall;
  /** What the server said; undefined before it was asked. */
  readonly answer: ApiAnswer | undefined;
  readonly past: Past;
  /** Milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
  readonly meddle: (how: Meddling, call: DescribedCall) => Promise<void>;
}

/**
 * Whether a fault acts before the server is asked. What needs the server's answer acts after it, whatever the plan says.
 */
export function actsBefore({ when, action }: Fault): boolean {
  return when === 'before' && action.do !== 'garble' && action.do !== 'stale' && action.do !== 'shorten';
}

/** Carries out an action, and says what becomes of the call. */
export async function act(action: Action, { call, answer, past, pause, meddle }: Acting): Promise<Verdict> {
  switch (action.do) {
    case 'crash':
      return { kind: 'crash' };
    case 'hang':
      return { kind: 'silence' };
    case 'reset':
      return { kind: 'reset' };
    case 'answer':
      return { kind: 'answered', answer: answerInstead(action) };
    case 'garble':
      return answered(answer && garbled(answer, action.how));
    case 'stale':
      return answered(answer && past.answerBefore(call, answer));
    case 'shorten':
      return answered(answer && shortened(answer, action.to));
    case 'delay':
      await pause(action.ms);
      return { kind: 'goes-on' };
    case 'meddle':
      await meddle(action.how, call);
      return { kind: 'goes-on' };
  }
}

function answered(answer: ApiAnswer | undefined): Verdict {
  if (answer === undefined) throw new Error('this action needs the answer of the server');
  return { kind: 'answered', answer };
}
