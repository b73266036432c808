import { resourceOf } from '../../../src/decide/resources.ts';
import type { KubeObject } from '../../../src/domain/kube-object.ts';
import type { Query } from '../../../src/domain/plan.ts';
import type { Oracle, Trace, TracedCall } from '../trace.ts';
import { asObject, byRuns, findings, isOk, keyOf, keyOfObject, nameOf, ownerUidOf, pick } from './accessors.ts';
import { type History, historyOf } from './history.ts';
import type { OraclesWith } from './inspection.ts';
import { lastRead, type Pass, passesOf, passOf } from './passes.ts';
import { ruleBreaches } from './rules.ts';

/**
 * O4: for one child the versions of the owner and of the inputs that it was written from never go backwards, in the order
 * in which the API server stored them. And rules R1 to R3 of the design themselves, which make it so.
 */
export function provenance({ controllerNamespace }: Pick<OraclesWith, 'controllerNamespace'>): Oracle {
  return (trace) => {
    const { found, say } = findings('O4');
    const passes = passesOf(trace);
    for (const { what, at } of ruleBreaches(trace, passes)) say(what, at);
    if (trace.staleReads) return found;
    const latest = new Map<string, Basis>();
    for (const { child, call } of childWrites(trace)) {
      const pass = passOf(passes, call);
      const basis = pass && basisOf(pass, call, { trace, history: historyOf(trace), controllerNamespace });
      if (basis === undefined) continue;
      const uid = child.metadata.uid ?? '';
      const before = latest.get(uid);
      const back = before && wentBack(before, basis);
      if (back !== undefined) say(`${nameOf(call.ref)} was written from an older ${back} than before`, call.at);
      latest.set(uid, basis);
    }
    return found;
  };
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

interface At {
  readonly trace: Trace;
  readonly history: History;
  readonly controllerNamespace: string;
}

function basisOf(pass: Pass, write: TracedCall, { trace, history, controllerNamespace }: At): Basis | undefined {
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
  const from = pass.steps[0]?.call.at ?? 0;
  const reads = trace.calls.filter((call) => call.run === write.run && call.at >= from && call.at < write.at);
  for (const { query } of resourceOf(owner)?.inputs(owner, controllerNamespace) ?? []) {
    for (const read of reads) if (isReadOf(query, read)) for (const object of objectsIn(read)) add(object);
  }
  return basis;
}

function isReadOf(query: Query, { verb, ref, query: parameters }: TracedCall): boolean {
  if (query.what === 'object') return verb === 'get' && keyOf(ref) === keyOf(query.ref);
  if (verb !== 'list' || keyOf(ref) !== keyOf({ ...query, name: '' })) return false;
  return (parameters['labelSelector'] ?? '') === query.labelSelector;
}

/** Only what the API server really said: a spoilt answer is no version of anything. */
function objectsIn({ verb, ref, seen, done, fault }: TracedCall): readonly KubeObject[] {
  if (!isOk(seen.status) || (fault !== undefined && JSON.stringify(seen.body) !== JSON.stringify(done.body))) return [];
  if (verb === 'get') return [asObject(seen.body)].filter((object) => object !== undefined);
  const items = pick(seen.body, 'items');
  const { apiVersion, kind } = ref;
  return Array.isArray(items) ? items.map((item: object) => ({ ...item, apiVersion, kind }) as KubeObject) : [];
}

/** The first thing of which the later write knew an older version; undefined if there is none. */
function wentBack(before: Basis, now: Basis): string | undefined {
  for (const [key, { latest }] of now) {
    const known = before.get(key);
    if (known !== undefined && latest < known.earliest) return key.split(' ')[0];
  }
  return undefined;
}
