import type { Certificates, Given, Resource } from '../decide/resource.ts';
import { resourceOf } from '../decide/resources.ts';
import type { Budget } from '../domain/budget.ts';
import { type ErrorCode, KnudgeError } from '../domain/errors.ts';
import { describe, type KubeObject, type ObjectRef } from '../domain/kube-object.ts';
import type { Observed, Outcome, Plan, Refusal } from '../domain/plan.ts';
import type { AskTunnel, Issuer, Reader, Trace, TunnelQuestion, Writer } from '../domain/ports.ts';
import { carryOut } from './carry-out.ts';
import { certify } from './certify.ts';
import { observe } from './observe.ts';
import type { Repairs } from './repairs.ts';

/** What a reconcile takes from outside. */
export interface ReconcileWith {
  readonly reader: Reader;
  readonly writer: Writer;
  readonly issuer: Issuer;
  readonly trace: Trace;
  /** Absent: nobody is asked. */
  readonly askTunnel?: AskTunnel | undefined;
  /** All that a decision is given, made anew for each: the clock is read once a decision, after what it rests on. */
  readonly given: () => Omit<Given, 'certificates' | 'refusal' | 'byResync'>;
  /** Waits before another try, the longer the more tries there were. */
  readonly pause: (tries: number) => Promise<void>;
  /** Told with each pass what it may cost. */
  readonly allow: (more: Budget) => void;
  readonly dryRun: boolean;
  /** What waits for its next try is tried now, once. */
  readonly tries?: boolean;
  /** A claim that it waits for has changed: it is looked at again. */
  readonly wakes?: boolean;
  /** Keeps what is changed; absent where nobody asks. */
  readonly repairs?: Repairs | undefined;
}

/** The most passes of one reconcile: tries after a conflict, and steps that need what the step before has made. */
const most = { restarts: 3, passes: 8 };

/** Errors that say: what was read is no longer true, or nobody knows what became of a write. Reading again tells. */
const stale: ReadonlySet<ErrorCode> = new Set(['conflict', 'already-exists', 'gone', 'outcome-unknown']);

/** Makes one parent what it should be: observe, decide, carry out, and again where one of them was overtaken. */
export async function reconcile(ref: ObjectRef, using: ReconcileWith): Promise<Pick<Outcome, 'result' | 'plans'>> {
  const resource = resourceOf(ref);
  if (resource === undefined) throw new KnudgeError('internal', `${ref.apiVersion} ${ref.kind} is not managed here`);
  const parent = { ...ref, apiVersion: resource.apiVersion };
  const ask = once(using.askTunnel);
  let refused: Refused | undefined;
  let tries = using.tries === true;
  for (let pass = 1, restarts = 0; pass <= most.passes; pass += 1) {
    try {
      const step = await onePass(resource, parent, { using, ask, refused, tries });
      if (step === undefined) return { result: 'gone' };
      if (using.dryRun) return { result: 'planned', plans: [{ ref: parent, plan: step.plan }] };
      if (step.refused === undefined && !step.plan.again) return { result: 'done' };
      refused = step.refused;
      tries = false;
    } catch (error) {
      restarts += 1;
      if (!(error instanceof KnudgeError) || !stale.has(error.code) || restarts > most.restarts) throw error;
      using.trace('restart', { code: error.code, message: error.message, restarts });
      refused = undefined;
      await using.pause(restarts);
    }
  }
  throw new KnudgeError('conflict', `${describe(parent)} did not come to rest in ${String(most.passes)} passes`);
}

/** One question for all passes of a reconcile: they are milliseconds apart, and nobody who is silent is waited for twice. */
function once(ask: AskTunnel | undefined): AskTunnel | undefined {
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

interface Step {
  readonly plan: Plan;
  readonly refused: Refused | undefined;
}

/** A refusal, and the parent that it was made from. */
interface Refused {
  readonly refusal: Refusal;
  readonly owner: KubeObject;
}

/** It says nothing of a parent that somebody has changed or made anew since: that is tried first. */
function toldOf(refused: Refused | undefined, { metadata }: KubeObject): Pick<Given, 'refusal'> {
  const of = refused?.owner.metadata;
  const isOf = of !== undefined && of.uid === metadata.uid && of.generation === metadata.generation;
  return isOf && refused !== undefined ? { refusal: refused.refusal } : {};
}

async function onePass(
  resource: Resource,
  ref: ObjectRef,
  at: {
    readonly using: ReconcileWith;
    readonly ask: AskTunnel | undefined;
    readonly refused: Refused | undefined;
    readonly tries: boolean;
  },
): Promise<Step | undefined> {
  const { reader, writer, issuer, trace, dryRun, allow } = at.using;
  const { controllerNamespace, hash } = at.using.given();
  trace('start', {});
  const observed = await observe(resource, ref, {
    reader,
    allow,
    controllerNamespace,
    hash,
    tries: at.tries || at.using.wakes === true,
  });
  if (observed === undefined) return undefined;
  // Not before: the clock is the API server's, which its answers tell.
  const given = at.using.given();
  trace('observed', { now: given.now, ...seenOf(observed) });
  const certificates: Certificates = await certify(resource.certificates?.(observed), { ...given, issuer });
  const live = await liveAt(resource.tunnelQuestion?.(observed), at.ask);
  const plan = resource.decide(observed, {
    ...given,
    certificates,
    ...(live && { live }),
    ...toldOf(at.refused, observed.owner),
    ...(at.tries && { byResync: true as const }),
  });
  trace('decided', { writes: plan.writes.map((write) => write.do), again: plan.again });
  const { owner } = observed;
  if (dryRun) return { plan, refused: undefined };
  const refusal = await carryOut(plan, owner, { writer, trace, repairs: at.using.repairs });
  trace('carried-out', { refusal: refusal?.code });
  return { plan, refused: refusal && { refusal, owner } };
}

/** What a person who debugs wants to see of the parent; the log takes secrets out. */
function seenOf({ owner, children }: Observed): Readonly<Record<string, unknown>> {
  const { metadata, spec, status }: KubeObject & { readonly spec?: unknown; readonly status?: unknown } = owner;
  const there = [...children].flatMap(([role, child]) => (child === undefined ? [] : [role]));
  return { resourceVersion: metadata.resourceVersion, spec, status, children: there };
}
