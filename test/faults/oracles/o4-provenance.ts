import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Oracle, Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { findings, nameOf } from '../../../packages/controller/testing/trace-words.ts';
import { byRuns, keyOfObject, ownerUidOf } from './accessors.ts';
import { type History, historyOf } from './history.ts';
import type { OraclesWith } from './inspection.ts';
import { resourceOf } from './managed.ts';
import { askedBy, lastRead, type Pass, passesOf, passOf, readsOf } from './passes.ts';
import { isReadOf, objectsIn, queriesOf } from './reads.ts';
import { unwantedWrites } from './refinement.ts';
import { ruleBreaches } from './rules.ts';

/**
 * O4: for one child the versions of the owner and of the inputs that it was written from never go backwards, in the order
 * in which the API server stored them. And rules R1 to R3 of the design themselves, which make it so; and what is written
 * is what a decision gives for what was read.
 */
export function provenance(parts: OraclesWith): Oracle {
  return (trace) => {
    const { found, say } = findings('O4');
    const passes = passesOf(trace);
    const breaches = [...ruleBreaches(trace, passes), ...(parts.isMixed ? [] : unwantedWrites(trace, parts))];
    for (const { what, at } of breaches) say(what, at);
    if (trace.staleReads) return found;
    const { controllerNamespace, hash } = parts;
    const at = { trace, history: historyOf(trace), controllerNamespace, hash };
    for (const { call, back } of backwardWrites(passes, at)) {
      say(`${nameOf(call.ref)} was written from an older ${back} than before`, call.at);
    }
    return found;
  };
}

interface Backward {
  readonly call: TracedCall;
  /** Of what an older version was known than to the write before. */
  readonly back: string;
}

function backwardWrites(passes: readonly Pass[], at: At): readonly Backward[] {
  const latest = new Map<string, Basis>();
  return childWrites(at.trace).flatMap(({ child, call }) => {
    const pass = passOf(passes, call);
    const basis = pass && basisOf(pass, call, at);
    if (basis === undefined) return [];
    const uid = child.metadata.uid ?? '';
    const before = latest.get(uid);
    latest.set(uid, basis);
    const back = before && wentBack(before, basis);
    return back === undefined ? [] : [{ call, back }];
  });
}

/** What a write was made from. Where it is not plain which of several reads it was, both bounds are kept. */
type Basis = ReadonlyMap<string, { readonly earliest: number; readonly latest: number }>;

function childWrites(trace: Trace): readonly { readonly child: KubeObject; readonly call: TracedCall }[] {
  const calls = new Map(trace.calls.map((call) => [call.at, call]));
  return byRuns(trace.changes).flatMap(({ by, type, object }) => {
    const call = calls.get(by.call);
    if (call === undefined || type === 'DELETED' || ownerUidOf(object) === undefined) return [];
    return call.verb === 'create' || call.verb === 'apply' ? [{ child: object, call }] : [];
  });
}

interface At extends Pick<OraclesWith, 'controllerNamespace' | 'hash'> {
  readonly trace: Trace;
  readonly history: History;
}

function basisOf(pass: Pass, write: TracedCall, { trace, history, ...parts }: At): Basis | undefined {
  const { object: owner } = lastRead(pass, 'owner', write.at);
  if (owner === undefined) return undefined;
  const basis = new Map<string, { earliest: number; latest: number }>();
  const add = (object: KubeObject): void => {
    const at = history.writtenAt(object);
    const key = `${keyOfObject(object)} ${object.metadata.uid ?? ''}`;
    const { earliest, latest } = basis.get(key) ?? { earliest: at, latest: at };
    basis.set(key, { earliest: Math.min(earliest, at), latest: Math.max(latest, at) });
  };
  add(owner);
  const reads = readsOf(pass, trace, write.at);
  const resource = resourceOf(owner);
  const queries =
    resource === undefined ? [] : queriesOf(resource, owner, { ...parts, ...askedBy(pass, write.at), reads });
  for (const { query } of queries) {
    for (const read of reads) if (isReadOf(query, read)) for (const object of objectsIn(read)) add(object);
  }
  return basis;
}

/** The first thing of which the later write knew an older version; undefined if there is none. */
function wentBack(before: Basis, now: Basis): string | undefined {
  for (const [key, { latest }] of now) {
    const known = before.get(key);
    if (known !== undefined && latest < known.earliest) return key.split(' ')[0];
  }
  return undefined;
}
