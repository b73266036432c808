import assert from 'node:assert/strict';
import { test } from 'node:test';
import type {
  Finding,
  Trace,
  TracedAnswer,
  TracedCall,
  TracedChange,
} from '../../../packages/controller/testing/trace.ts';
import { scenarios } from '../scenarios/scenarios.ts';
import { inspectSimulated } from '../sim/issuer.ts';
import { prepare } from '../sim/prepare.ts';
import { createOracles } from './oracles.ts';

const { oracles } = createOracles({ inspect: inspectSimulated });
const traces = new Map<string, Promise<Trace>>();

/** The trace of a scenario without faults, as the simulator makes it: an honest one to begin with. */
function honest(name: string): Promise<Trace> {
  const known = traces.get(name) ?? prepareByName(name);
  traces.set(name, known);
  return known;
}

async function prepareByName(name: string): Promise<Trace> {
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`);
  return (await prepare(scenario)).clean;
}

/** What one oracle says of a trace. */
function ask(id: string, trace: Trace, clean: Trace | undefined): readonly Finding[] {
  return oracles.find((row) => row.id === id)?.oracle(trace, clean) ?? [];
}

/** A row of an oracle's table: a lie about an honest run, and how the oracle says it; none: it is no lie. */
export interface Lie {
  readonly of: string;
  readonly tell: (trace: Trace) => Trace;
  /** It is itself the run without faults: what is reported is compared with itself. */
  readonly ofItself?: true;
  readonly says?: RegExp;
}

/** The calls that fit, changed; all if `which` is absent. Undefined takes a call away. */
export function editCalls(
  trace: Trace,
  which: (call: TracedCall) => boolean,
  edit: (call: TracedCall) => TracedCall | undefined,
): Trace {
  const calls = trace.calls.flatMap((call) => (which(call) ? (edit(call) ?? []) : call));
  return { ...trace, calls: calls.sort((one, other) => one.at - other.at) };
}

export function editChanges(
  trace: Trace,
  which: (change: TracedChange) => boolean,
  edit: (change: TracedChange) => TracedChange | undefined,
): Trace {
  return { ...trace, changes: trace.changes.flatMap((change) => (which(change) ? (edit(change) ?? []) : change)) };
}

/** The first answer, changed. */
export function editAnswer(trace: Trace, edit: Partial<TracedAnswer>): Trace {
  return { ...trace, answers: trace.answers.map((answer, index) => (index === 0 ? { ...answer, ...edit } : answer)) };
}

/** One more call or change, in its place. */
export function insertCall(trace: Trace, call: TracedCall): Trace {
  return { ...trace, calls: [...trace.calls, call].sort((one, other) => one.at - other.at) };
}

export function insertChange(trace: Trace, change: TracedChange): Trace {
  return { ...trace, changes: [...trace.changes, change].sort((one, other) => one.at - other.at) };
}

/** The first call of this kind, such as `get pods`; throws where there is none, or a lie would lie about nothing. */
export function callIn(trace: Trace, kind: string, name?: string): TracedCall {
  const found = trace.calls.find(
    ({ verb, resource, ref }) => `${verb} ${resource}` === kind && (name === undefined || ref.name === name),
  );
  if (found === undefined) throw new Error(`no ${kind} ${name ?? ''}`);
  return found;
}

/** A deep change of JSON: the value at the path is replaced, undefined takes it away. */
export function put<Value>(value: Value, path: readonly (string | number)[], inner: unknown): Value {
  const copy = structuredClone(value);
  let at: unknown = copy;
  for (const key of path.slice(0, -1)) at = Reflect.get(at as object, key);
  const last = path.at(-1) ?? '';
  if (inner === undefined) Reflect.deleteProperty(at as object, last);
  else Reflect.set(at as object, last, inner);
  return copy;
}

/** One test a row: the honest trace gives the oracle nothing to say, the lie just what the row says. */
export function testLies(id: string, lies: Readonly<Record<string, Lie>>): void {
  for (const [name, { of, tell, ofItself, says }] of Object.entries(lies)) {
    test(`${id}: ${name}`, async () => {
      const clean = await honest(of);
      assert.deepEqual(ask(id, clean, clean), [], 'the honest run');
      const told = tell(clean);
      const found = ask(id, told, ofItself ? told : clean);
      if (says === undefined) assert.deepEqual(found, []);
      else assert.match(found.map(({ what }) => what).join('\n'), says);
    });
  }
}
