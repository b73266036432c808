import type { Certificates, Given, Resource } from '../decide/resource.ts';
import { resourceOf } from '../decide/resources.ts';
import { type ErrorCode, KnudgeError } from '../domain/errors.ts';
import { describe, type KubeObject, type ObjectRef } from '../domain/kube-object.ts';
import type { Observed, Outcome, Plan, Refusal } from '../domain/plan.ts';
import type { AskTunnel, Issuer, Reader, Trace, Writer } from '../domain/ports.ts';
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
  readonly given: () => Omit<Given, 'certificates' | 'refusal'>;
  /** Waits before another try, the longer the more tries there were. */
  readonly pause: (tries: number) => Promise<void>;
  readonly dryRun: boolean;
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
  let refusal: Refusal | undefined;
  for (let pass = 1, restarts = 0; pass <= most.passes; pass += 1) {
    try {
      const step = await onePass(resource, parent, { using, ask, refusal });
      if (step === undefined) return { result: 'gone' };
      if (using.dryRun) return { result: 'planned', plans: [{ ref: parent, plan: step.plan }] };
      if (step.refusal === undefined && !step.plan.again) return { result: 'done' };
      refusal = step.refusal;
    } catch (error) {
      restarts += 1;
      if (!(error instanceof KnudgeError) || !stale.has(error.code) || restarts > most.restarts) throw error;
      using.trace('restart', { code: error.code, message: error.message, restarts });
      refusal = undefined;
      await using.pause(restarts);
    }
  }
  throw new KnudgeError('conflict', `${describe(parent)} did not come to rest in ${String(most.passes)} passes`);
}

/** One question for all passes of a reconcile: they are milliseconds apart, and nobody who is silent is waited for twice. */
function once(ask: AskTunnel | undefined): AskTunnel | undefined {
  if (ask === undefined) return undefined;
  const answers = new Map<string, ReturnType<AskTunnel>>();
  return (address) => {
    const answer = answers.get(address) ?? ask(address);
    answers.set(address, answer);
    return answer;
  };
}

async function liveAt(address: string | undefined, ask: AskTunnel | undefined): Promise<Given['live']> {
  return address === undefined || ask === undefined ? undefined : ((await ask(address)) ?? 'unreachable');
}

interface Step {
  readonly plan: Plan;
  readonly refusal: Refusal | undefined;
}

async function onePass(
  resource: Resource,
  ref: ObjectRef,
  at: { readonly using: ReconcileWith; readonly ask: AskTunnel | undefined; readonly refusal: Refusal | undefined },
): Promise<Step | undefined> {
  const { reader, writer, issuer, trace, dryRun } = at.using;
  const { controllerNamespace } = at.using.given();
  trace('start', {});
  const observed = await observe(resource, ref, { reader, controllerNamespace });
  if (observed === undefined) return undefined;
  // Not before: the clock is the API server's, which its answers tell.
  const given = at.using.given();
  trace('observed', { now: given.now, ...seenOf(observed) });
  const certificates: Certificates = await certify(resource.certificates?.(observed), { ...given, issuer });
  const live = await liveAt(resource.tunnelAddress?.(observed), at.ask);
  const plan = resource.decide(observed, {
    ...given,
    certificates,
    ...(live && { live }),
    ...(at.refusal && { refusal: at.refusal }),
  });
  trace('decided', { writes: plan.writes.map((write) => write.do), again: plan.again });
  if (dryRun) return { plan, refusal: undefined };
  const refusal = await carryOut(plan, observed.owner, { writer, trace, repairs: at.using.repairs });
  trace('carried-out', { refusal: refusal?.code });
  return { plan, refusal };
}

/** What a person who debugs wants to see of the parent; the log takes secrets out. */
function seenOf({ owner, children }: Observed): Readonly<Record<string, unknown>> {
  const { metadata, spec, status }: KubeObject & { readonly spec?: unknown; readonly status?: unknown } = owner;
  const there = [...children].flatMap(([role, child]) => (child === undefined ? [] : [role]));
  return { resourceVersion: metadata.resourceVersion, spec, status, children: there };
}
