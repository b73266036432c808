import type { Condition } from '../../../packages/controller/domain/conditions.ts';
import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Oracle, Trace } from '../../../packages/controller/testing/trace.ts';
import { findings, nameOf, pick } from '../../../packages/controller/testing/trace-words.ts';
import { isParent } from './accessors.ts';
import { historyOf } from './history.ts';
import { leaksOf } from './leaks.ts';
import { letInUnseen } from './let-in.ts';
import { falseReadiness } from './readiness.ts';
import { falseDigests, sharedTokens } from './tokens.ts';

/**
 * O8: a status speaks of no generation that is not there yet and of no older one than before; states follow each other
 * only along the edges of the documents; a condition keeps its time as long as its status; nothing is called ready that
 * was not seen ready; the status names the token that is shown, and no second server is shown it; it lets nobody in with
 * what a person has just written; and no byte of a
 * Secret is anywhere but in Secrets.
 */
export const status: Oracle = (trace) => {
  const { found, say } = findings('O8');
  for (const { object, what, at } of statusBreaches(trace)) say(`${nameOf(refOf(object))} ${what}`, at);
  for (const { what, at } of [...falseReadiness(trace), ...letInUnseen(trace)]) say(what, at);
  for (const what of [...falseDigests(trace), ...sharedTokens(trace)]) say(what);
  for (const leak of leaksOf(trace)) say(leak);
  return found;
};

interface Breach {
  readonly object: KubeObject;
  readonly what: string;
  readonly at: number;
}

function statusBreaches(trace: Trace): readonly Breach[] {
  return historyOf(trace).changes.flatMap(({ by, type, object, before, at }) => {
    if (by.who !== 'run' || type !== 'MODIFIED' || !isParent(object) || before === undefined) return [];
    const told = [...generationBreaches(object, before), edgeBreach(object, before), ...timeBreaches(object, before)];
    return told.flatMap((what) => (what === undefined ? [] : [{ object, what, at }]));
  });
}

function generationBreaches(object: KubeObject, before: KubeObject): readonly (string | undefined)[] {
  const { generation = 0 } = object.metadata;
  const told = [
    pick(object, 'status', 'observedGeneration'),
    ...conditionsOf(object).map((one) => one.observedGeneration),
  ];
  const latest = Math.max(0, ...told.filter((value) => typeof value === 'number'));
  const [now, was] = [object, before].map((one) => Number(pick(one, 'status', 'observedGeneration') ?? 0));
  return [
    latest > generation ? `speaks of generation ${String(latest)} and has only ${String(generation)}` : undefined,
    (now ?? 0) < (was ?? 0) ? `speaks of generation ${String(now)} after it spoke of ${String(was)}` : undefined,
  ];
}

/** As docs/architecture.md has them; a status that was not there counts as Pending. */
const edges: Readonly<Record<string, readonly string[]>> = {
  Pending: ['Provisioning', 'Failed', 'Terminating'],
  Provisioning: ['Running', 'Failed', 'Terminating'],
  Running: ['Updating', 'Failed', 'Terminating'],
  Updating: ['Running', 'Failed', 'Terminating'],
  Failed: ['Provisioning', 'Updating', 'Terminating'],
  Terminating: [],
};

/** A Message knows three phases, and each may follow each: its Pod is all there is, and may be anything by now. */
const phases: ReadonlySet<unknown> = new Set([undefined, 'Pending', 'Processed', 'Failed']);

function edgeBreach(object: KubeObject, before: KubeObject): string | undefined {
  if (object.kind === 'Message') {
    const phase = pick(object, 'status', 'phase');
    return phases.has(phase) ? undefined : `has the phase ${String(phase)}, which there is not`;
  }
  const [from, to] = [before, object].map((one) => String(pick(one, 'status', 'state') ?? 'Pending'));
  if (from === undefined || to === undefined || from === to || edges[from]?.includes(to) === true) return undefined;
  return `went from ${from} to ${to}`;
}

function timeBreaches(object: KubeObject, before: KubeObject): readonly string[] {
  const old = new Map(conditionsOf(before).map((condition) => [condition.type, condition]));
  return conditionsOf(object).flatMap(({ type, status: now, lastTransitionTime }) => {
    const was = old.get(type);
    if (was === undefined || was.status !== now || was.lastTransitionTime === lastTransitionTime) return [];
    return [`has a new time for ${type}, which is ${now} as before`];
  });
}

export function conditionsOf(object: KubeObject): readonly Condition[] {
  const conditions = pick(object, 'status', 'conditions');
  return Array.isArray(conditions) ? (conditions as readonly Condition[]) : [];
}
