import { canonical } from '../../../packages/controller/decide/canonical.ts';
import { describe, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { annotations } from '../../../packages/controller/domain/names.ts';
import { type Plan, targetOf, type Write } from '../../../packages/controller/domain/plan.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { nameOf, pick } from '../../../packages/controller/testing/trace-words.ts';
import { isBelated, isRefused, keyOf } from './accessors.ts';
import { decidedBy } from './decided.ts';
import type { OraclesWith } from './inspection.ts';
import { type Pass, passesOf, type Step, writesOf } from './passes.ts';

interface Breach {
  readonly what: string;
  readonly at: number;
}

/**
 * Writes that no decision wants: those of a pass must be the beginning of what `decide` gives for what the pass had read,
 * in its order and with its content. After a refusal nothing but the status is written, which is not looked at here.
 */
export function unwantedWrites(trace: Trace, parts: OraclesWith): readonly Breach[] {
  return passesOf(trace).flatMap((pass) => {
    const steps = writesOf(pass);
    if (steps.length === 0 || followsRefusal(pass, trace)) return [];
    const plans = decidedBy(pass, trace, parts);
    const breaches = plans.map((plan) => firstUnwanted(pass, plan, trace));
    return breaches.length === 0 || breaches.includes(undefined)
      ? []
      : breaches.slice(0, 1).flatMap((one) => one ?? []);
  });
}

/** An earlier pass of its run was refused something for good, which the next one knows. */
function followsRefusal({ run, steps }: Pass, { calls }: Trace): boolean {
  const from = steps[0]?.call.at ?? 0;
  return calls.some((call) => call.run === run && call.at < from && isRefused(call));
}

function firstUnwanted(pass: Pass, { writes }: Plan, trace: Trace): Breach | undefined {
  const wanted = writes.filter((write) => isOfPass(write, pass));
  const isHoled = trace.calls.some((call) => call.run === pass.run && isBelated(call));
  let next = 0;
  for (const step of writesOf(pass)) {
    const index = wanted.findIndex(
      (write, place) => (isHoled || place === next || place === next - 1) && isIt(step, write, pass),
    );
    if (index < 0) return { what: told(step, wanted[next], pass), at: step.call.at };
    next = index + 1;
  }
  return undefined;
}

/** The authority, a workload and Claims are of no parent's pass; a tunnel that is stopped is. */
function isOfPass(write: Write, { steps, parent }: Pass): boolean {
  if (targetOf(write, parent).kind === 'Claim') return false;
  if (write.do !== 'create' && write.do !== 'apply' && write.do !== 'scale') return true;
  const key = keyOf(write.do === 'scale' ? write.ref : refOf(write.object));
  return steps.some(({ call }) => keyOf(call.ref) === key);
}

function told({ call }: Step, wanted: Write | undefined, { parent }: Pass): string {
  const instead = wanted === undefined ? 'nothing more' : `${wanted.do} of ${describe(targetOf(wanted, parent))}`;
  return `${call.verb} of ${call.resource} ${nameOf(call.ref)} is not what a decision wants of what was read: ${instead} (R1)`;
}

function isIt({ call }: Step, write: Write, { parent }: Pass): boolean {
  if (keyOf(call.ref) !== keyOf(targetOf(write, parent))) return false;
  const isStatus = call.resource.endsWith('/status');
  switch (write.do) {
    case 'create':
      return call.verb === 'create' && contentOf(call.body) === contentOf(write.object);
    case 'apply':
      return call.verb === 'patch-json' || (call.verb === 'apply' && contentOf(call.body) === contentOf(write.object));
    case 'delete':
      return call.verb === 'delete' && pick(call.body, 'propagationPolicy') === write.propagation;
    case 'finalizers':
      return (
        call.verb === 'patch-merge' &&
        !isStatus &&
        isSame(pick(call.body, 'metadata', 'finalizers') ?? [], write.finalizers)
      );
    case 'status':
      // What is left over of an earlier status is taken away by a merge patch.
      return isStatus && (call.verb === 'patch-merge' || untimed(pick(call.body, 'status')) === untimed(write.status));
    case 'scale':
      return call.resource.endsWith('/scale') && isReplicas(call.body, write.replicas);
  }
}

function isReplicas(body: unknown, replicas: number): boolean {
  return (
    Array.isArray(body) && body.some((one) => pick(one, 'path') === '/spec/replicas' && pick(one, 'value') === replicas)
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function contentOf(body: unknown): string {
  return masked(body, new Set(['uid', 'resourceVersion', annotations.specHash, annotations.tries]));
}

function untimed(status: unknown): string {
  return masked(status, new Set(['lastReconciled', 'lastTransitionTime', 'lastAttempt', 'recentWrites']));
}

function masked(value: unknown, keys: ReadonlySet<string>): string {
  const text = JSON.stringify(value, (key, inner: unknown) => (keys.has(key) ? undefined : inner));
  return canonical(text === undefined ? undefined : JSON.parse(text));
}
