import type { Consulting, Given, Resource } from '../decide/resource.ts';
import type { KubeObject } from '../domain/kube-object.ts';
import type { Observed, Plan } from '../domain/plan.ts';
import type { Trace } from '../domain/ports.ts';
import type { Traced } from '../domain/spans.ts';

/** What a decision takes from outside. */
export interface DecideWith {
  readonly trace: Trace;
  /** The span of the reconcile; absent where nothing is traced. */
  readonly traced?: Traced | undefined;
  /** All that a decision is given, made anew for each: the clock is read once a decision, after what it rests on. */
  readonly given: () => Omit<Given, 'facts' | 'refusal' | 'byResync'>;
}

/** How other servers are asked during one reconcile. */
export type Asking = Pick<Consulting, 'asks' | 'once'>;

/** Decides about what was observed, or about the same once it is changed: with one clock, and the same facts. */
export async function deciding(
  resource: Resource,
  observed: Observed,
  { using, asking }: { readonly using: DecideWith; readonly asking: Asking },
): Promise<(about: Observed, told: Pick<Given, 'refusal' | 'byResync'>) => Plan> {
  // Not before: the clock is the API server's, which its answers carry.
  const given = using.given();
  using.trace('observed', { now: given.now, ...seenOf(observed) });
  const facts = await resource.consult?.(observed, { now: given.now, ...asking });
  return (about, told) => timed(using.traced, () => resource.decide(about, { ...given, facts, ...told }));
}

function timed(traced: Traced | undefined, decide: () => Plan): Plan {
  if (traced === undefined) return decide();
  const span = traced.tracer.start('decide', { kind: 'internal', parent: traced.span.context });
  const plan = decide();
  span.end({ attributes: { 'knudge.writes': plan.writes.length } });
  return plan;
}

/** Whether a decision leaves nothing to do. */
export function isNothing({ writes, notices, again }: Plan): boolean {
  return writes.length === 0 && notices.length === 0 && !again;
}

/** Keeps the answers of one reconcile. */
export function askOnce(): Consulting['once'] {
  const answers = new Map<string, Promise<unknown>>();
  return <Answer>(question: string, ask: () => Promise<Answer>): Promise<Answer> => {
    const answer = (answers.get(question) as Promise<Answer> | undefined) ?? ask();
    answers.set(question, answer);
    return answer;
  };
}

/** What a person who debugs wants to see of the parent; the log takes secrets out. */
function seenOf({ owner, children }: Observed): Readonly<Record<string, unknown>> {
  const { metadata, spec, status }: KubeObject & { readonly spec?: unknown; readonly status?: unknown } = owner;
  const there = [...children].flatMap(([role, child]) => (child === undefined ? [] : [role]));
  return { resourceVersion: metadata.resourceVersion, spec, status, children: there };
}
