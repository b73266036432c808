import type { Action } from '../fault.ts';
import type { CallSite } from './kind.ts';

type Said = Extract<Action, { do: 'answer' }>;
type Cause = Readonly<Record<'reason' | 'message' | 'field', string>>;

/** A refusal in the words of kube-apiserver 1.35 (see packages/controller/test/cluster/refusals.ts), with the names of the call. */
export function refused(status: number, reason: string, message: string): (call: CallSite) => Said {
  return (call) => ({ do: 'answer', status, reason, message: worded(message, call) });
}

/** The same with a cause. */
export function refusedBecause(said: (call: CallSite) => Said, cause: Cause): (call: CallSite) => Said {
  return (call) => {
    const { name, kind } = call.ref;
    return { ...said(call), details: { name, kind, causes: [{ ...cause, message: worded(cause.message, call) }] } };
  };
}

/** The denial of a webhook, which chooses the status and gives no reason. */
export function deniedByWebhook(status: number): (call: CallSite) => Said {
  return () => ({
    do: 'answer',
    status,
    message: 'admission webhook "guard.example.com" denied the request: not today',
  });
}

/** `{resource}`, `{kind}`, `{name}` and `{namespace}` of the call. */
function worded(text: string, { resource, ref }: CallSite): string {
  const [plural = ''] = resource.split('/');
  const words: ReadonlyMap<string, string> = new Map(Object.entries({ ...ref, resource: plural }));
  return text.replace(/\{(\w+)\}/g, (whole, word: string) => words.get(word) ?? whole);
}
