import type { Certificates, Given, Resource } from '../decide/resource.ts';
import type { KubeObject } from '../domain/kube-object.ts';
import type { Observed, Plan } from '../domain/plan.ts';
import type { AskTunnel, Issuer, Trace, TunnelQuestion } from '../domain/ports.ts';
import { certify } from './certify.ts';

/** What a decision takes from outside. */
export interface DecideWith {
  readonly issuer: Issuer;
  readonly trace: Trace;
  /** All that a decision is given, made anew for each: the clock is read once a decision, after what it rests on. */
  readonly given: () => Omit<Given, 'certificates' | 'refusal' | 'byResync'>;
}

/** Decides about what was observed, or about the same once it is changed: with one clock, the same certificates and the same answer of a tunnel. */
export async function deciding(
  resource: Resource,
  observed: Observed,
  { using, ask }: { readonly using: DecideWith; readonly ask: AskTunnel | undefined },
): Promise<(about: Observed, told: Pick<Given, 'refusal' | 'byResync'>) => Plan> {
  // Not before: the clock is the API server's, which its answers tell.
  const given = using.given();
  using.trace('observed', { now: given.now, ...seenOf(observed) });
  const certificates: Certificates = await certify(resource.certificates?.(observed), {
    ...given,
    issuer: using.issuer,
  });
  const live = await liveAt(resource.tunnelQuestion?.(observed), ask);
  return (about, told) => resource.decide(about, { ...given, certificates, ...(live && { live }), ...told });
}

/** Whether a decision leaves nothing to do. */
export function isNothing({ writes, notices, again }: Plan): boolean {
  return writes.length === 0 && notices.length === 0 && !again;
}

/** One question for all passes of a reconcile: they are milliseconds apart, and nobody who is silent is waited for twice. */
export function once(ask: AskTunnel | undefined): AskTunnel | undefined {
  if (ask === undefined) return undefined;
  const answers = new Map<string, ReturnType<AskTunnel>>();
  return (question) => {
    const key = `${question.address} ${String(question.asksWhy)}`;
    const answer = answers.get(key) ?? ask(question);
    answers.set(key, answer);
    return answer;
  };
}

async function liveAt(question: TunnelQuestion | undefined, ask: AskTunnel | undefined): Promise<Given['live']> {
  return question === undefined || ask === undefined ? undefined : ((await ask(question)) ?? 'unreachable');
}

/** What a person who debugs wants to see of the parent; the log takes secrets out. */
function seenOf({ owner, children }: Observed): Readonly<Record<string, unknown>> {
  const { metadata, spec, status }: KubeObject & { readonly spec?: unknown; readonly status?: unknown } = owner;
  const there = [...children].flatMap(([role, child]) => (child === undefined ? [] : [role]));
  return { resourceVersion: metadata.resourceVersion, spec, status, children: there };
}
