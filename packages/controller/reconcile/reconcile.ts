import type { Given, Resource } from '../decide/resource.ts';
import { resourceIn } from '../decide/resource-in.ts';
import { shapeOf } from '../decide/shapes.ts';
import type { Budget } from '../domain/budget.ts';
import { type ErrorCode, KnudgeError } from '../domain/errors.ts';
import { describe, type KubeObject, type ObjectRef } from '../domain/kube-object.ts';
import type { Foreseen, Observed, Outcome, Plan, Refusal } from '../domain/plan.ts';
import type { Reader, Trial, Writer } from '../domain/ports.ts';
import { keepAnswers, withAnswers } from './answers.ts';
import { carryOut } from './carry-out.ts';
import { type Asking, askOnce, type DecideWith, deciding, isNothing } from './deciding.ts';
import { look } from './look.ts';
import { observe, type Seen } from './observe.ts';
import type { Repairs } from './repairs.ts';

/** What a reconcile takes from outside. */
export interface ReconcileWith extends DecideWith {
  readonly reader: Reader;
  readonly writer: Writer;
  /** What is managed here. */
  readonly resources: readonly Resource[];
  /** Whether other servers may be asked. */
  readonly asks: boolean;
  /** Waits before another try, the longer the more tries there were. */
  readonly pause: (tries: number) => Promise<void>;
  /** Called with each pass, with what the pass may cost. */
  readonly allow: (more: Budget) => void;
  readonly dryRun: boolean;
  /** Of a dry run: asks the API server about each write; absent where nothing can be asked. */
  readonly trial?: (() => Promise<Trial>) | undefined;
  /** What events were about that asked for this; absent where all is to be read, whatever the status says. */
  readonly about?: readonly ObjectRef[] | undefined;
  /** What waits for its next try is tried now, once. */
  readonly tries?: boolean;
  /** Something that it waits for has changed: it is looked at again. */
  readonly wakes?: boolean;
  /** Keeps what is changed; absent where nobody asks. */
  readonly repairs?: Repairs | undefined;
}

/** The most passes of one reconcile: tries after a conflict, and steps that need what the step before has made. */
const most = { restarts: 3, passes: 8 };

/** Errors that say: what was read is no longer true, or it is unknown what became of a write. Reading again shows it. */
const stale: ReadonlySet<ErrorCode> = new Set(['conflict', 'already-exists', 'gone', 'outcome-unknown']);

export interface Reconciled extends Pick<Outcome, 'result' | 'plans'> {
  /**
   * What was read and written, each as the API server answered, where nothing is left to do after it but what others change: an event
   * about one of these very versions brings nothing new.
   */
  readonly known: readonly KubeObject[];
}

/**
 * Makes one parent what it should be: observe, decide, carry out, and again where one of them was overtaken. Where nobody wants all to
 * be looked at, a look with few reads comes first, and is the last where there is nothing to do.
 */
export async function reconcile(ref: ObjectRef, using: ReconcileWith): Promise<Reconciled> {
  const resource = resourceIn(using.resources, ref);
  if (resource === undefined) throw new KnudgeError('internal', `${ref.apiVersion} ${ref.kind} is not managed here`);
  const parent = { ...ref, apiVersion: resource.apiVersion };
  const at = { using, asking: { asks: using.asks, once: askOnce() } };
  const { reconciled, seen } = await glance(resource, parent, at);
  return reconciled ?? makeRight(resource, parent, { ...at, seen });
}

/** What all passes of a reconcile share. */
interface Of {
  readonly using: ReconcileWith;
  readonly asking: Asking;
}

/** The first pass keeps the children that a look has read; each later pass reads them itself. */
async function makeRight(
  resource: Resource,
  parent: ObjectRef,
  { using, asking, seen: atFirst }: Of & { readonly seen?: Seen | undefined },
): Promise<Reconciled> {
  const known: KubeObject[] = [];
  let refused: Refused | undefined;
  let tries = using.tries === true;
  for (let pass = 1, restarts = 0; pass <= most.passes; pass += 1) {
    const seen = pass === 1 ? atFirst : undefined;
    try {
      const step = await onePass(resource, parent, { using, asking, refused, tries, seen });
      if (step === undefined) return { result: 'gone', known: [] };
      if (step.foreseen !== undefined) return plannedBy(parent, step.plan, step.foreseen);
      known.push(...step.known);
      if (step.isLast) return doneBy(step, known);
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

function plannedBy(ref: ObjectRef, plan: Plan, foreseen: readonly Foreseen[]): Reconciled {
  return { result: 'planned', plans: [{ ref, plan, ...(foreseen.length > 0 && { changes: foreseen }) }], known: [] };
}

/** What was read and written has left nothing to do only where the last pass says so. */
function doneBy({ isAtRest }: Step, known: readonly KubeObject[]): Reconciled {
  return { result: 'done', known: isAtRest ? known : [] };
}

function objectsOf({ owner, children, inputs }: Observed): readonly KubeObject[] {
  const there = [...children.values()].filter((child) => child !== undefined);
  return [owner, ...there, ...[...inputs.values()].flat()];
}

/** What a look has found: `reconciled` where nothing is to do or the parent is gone; else `seen`, which is absent where the pass must read all itself. */
interface Glance {
  readonly reconciled?: Reconciled;
  readonly seen?: Seen;
}

async function glance(resource: Resource, ref: ObjectRef, { using, asking }: Of): Promise<Glance> {
  const { reader, allow, about, dryRun } = using;
  if (dryRun || about === undefined || resource.atRest === undefined) return {};
  const { controllerNamespace, hash } = using.given();
  const seen = await look(resource, ref, { about, from: { reader, allow, controllerNamespace, hash } });
  if (seen.is !== 'seen') return seen.is === 'gone' ? { reconciled: { result: 'gone', known: [] } } : {};
  const decide = await deciding(resource, seen.observed, { using, asking });
  const isAtRest = isNothing(decide(seen.observed, {}));
  using.trace('looked', { isAtRest });
  return isAtRest ? { reconciled: { result: 'done', known: objectsOf(seen.observed) } } : { seen: seen.observed };
}

interface Step {
  readonly plan: Plan;
  /** What was read and written, as the API server answered. */
  readonly known: readonly KubeObject[];
  /** Nothing is left to do, by what was observed and by these answers. */
  readonly isAtRest: boolean;
  readonly isLast: boolean;
  readonly refused: Refused | undefined;
  /** Of a dry run: what each write would change. */
  readonly foreseen?: readonly Foreseen[];
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
  at: Of & { readonly refused: Refused | undefined; readonly tries: boolean; readonly seen: Seen | undefined },
): Promise<Step | undefined> {
  const { reader, trace, dryRun, allow } = at.using;
  const { controllerNamespace, hash } = at.using.given();
  trace('start', {});
  const tries = at.tries || at.using.wakes === true;
  const { seen } = at;
  const observed = await observe(resource, ref, { reader, allow, controllerNamespace, hash, tries, seen });
  if (observed === undefined) return undefined;
  const decide = await deciding(resource, observed, at);
  const { owner } = observed;
  const told = { ...toldOf(at.refused, owner), ...(at.tries && { byResync: true as const }) };
  const plan = decide(observed, told);
  trace('decided', { writes: plan.writes.map((write) => write.do), again: plan.again });
  if (dryRun) {
    const { tryOut } = await import('./try-out.ts');
    const foreseen = await tryOut(plan, observed, { shapeOf, trial: await at.using.trial?.() });
    return { plan, foreseen, refused: undefined, known: [], isAtRest: false, isLast: true };
  }
  const answers = keepAnswers(at.using.writer);
  const refusal = await carryOut(plan, owner, { writer: answers.writer, trace, repairs: at.using.repairs });
  trace('carried-out', { refusal: refusal?.code });
  const after = refusal === undefined ? withAnswers(observed, resource, answers) : undefined;
  const isAtRest = isNothing(plan) || (after !== undefined && isNothing(decide(after, {})));
  const isLast = refusal === undefined && !plan.again;
  const known = [...objectsOf(observed), ...answers.all()];
  return { plan, refused: refusal && { refusal, owner }, known, isAtRest, isLast };
}
