import { isAuthority } from '../../../src/decide/distributed-service/certificates.ts';
import { keyPairOf } from '../../../src/decide/distributed-service/key-pair.ts';
import { canonical } from '../../../src/decide/canonical.ts';
import { type KubeObject, refOf } from '../../../src/domain/kube-object.ts';
import { timeOf } from '../../../src/domain/time.ts';
import type { Oracle, Trace } from '../trace.ts';
import { findings, keyOfObject, nameOf, ownerUidOf, pick } from './accessors.ts';
import { type FullChange, type History, historyOf } from './history.ts';
import type { OraclesWith } from './inspection.ts';

/**
 * O7: a trust domain (the Secret with the authority of a server profile) gets one authority, which is never changed; a
 * certificate is written together with its key, signed by an authority that was stored while the run went on; at rest it
 * is signed by the one that is stored, and has not ended.
 */
export function certificates({ inspect }: Pick<OraclesWith, 'inspect'>): Oracle {
  return (trace) => {
    const { found, say } = findings('O7');
    const history = historyOf(trace);
    const say1 = (object: KubeObject, what: string, at?: number): void => say(`${nameOf(refOf(object))} ${what}`, at);
    for (const { object, what, at } of authorityBreaches(history)) say1(object, what, at);
    for (const change of history.changes) {
      if (change.by.who !== 'run' || !isLeaf(change.object) || !isNewData(change)) continue;
      const what = leafBreach(change, { inspect, authorities: authoritiesDuring(change, trace) });
      if (what !== undefined) say1(change.object, what, change.at);
    }
    for (const leaf of trace.resting.filter(isLeaf)) {
      const what = restingBreach(leaf, trace, inspect);
      if (what !== undefined) say1(leaf, what);
    }
    return found;
  };
}

interface Breach {
  readonly object: KubeObject;
  readonly what: string;
  readonly at: number;
}

function authorityBreaches({ changes }: History): readonly Breach[] {
  const published = new Set<string>();
  return changes.flatMap((change) => {
    const { by, type, object, at, before } = change;
    const isOne = isAuthority(object) || (before !== undefined && isAuthority(before));
    if (!isOne) return [];
    const key = keyOfObject(object);
    if (by.who !== 'run') {
      published.delete(key);
      return [];
    }
    if (type !== 'ADDED') return [{ object, what: 'is an authority and was changed or deleted by a run', at }];
    const isSecond = published.has(key);
    published.add(key);
    if (isSecond) return [{ object, what: 'is a second authority of one trust domain', at }];
    return pick(object, 'immutable') === true ? [] : [{ object, what: 'is an authority that can be changed', at }];
  });
}

/** The certificate that Knudge makes for a service; not one that a person supplies. */
function isLeaf(object: KubeObject): boolean {
  return (
    object.kind === 'Secret' && pick(object, 'type') === 'kubernetes.io/tls' && ownerUidOf(object) !== undefined
  );
}

function isNewData({ type, object, before }: FullChange): boolean {
  return type !== 'DELETED' && canonical(pick(object, 'data')) !== canonical(pick(before, 'data'));
}

interface Against {
  readonly inspect: OraclesWith['inspect'];
  /** Certificates of authorities. */
  readonly authorities: readonly string[];
}

function leafBreach({ object }: FullChange, { inspect, authorities }: Against): string | undefined {
  const pair = keyPairOf(object);
  if (pair === undefined) return 'was written without its certificate or its key';
  if (inspect(pair) === undefined) return 'was written with a key that is not that of its certificate';
  const isSigned = authorities.some((authority) => inspect(pair, authority) !== undefined);
  return isSigned ? undefined : 'was written with a certificate that no stored authority has signed';
}

/** Every authority that was stored at any moment between the first call of the run and this write. */
function authoritiesDuring({ by, at }: FullChange, trace: Trace): readonly string[] {
  const began = trace.calls.find(({ run }) => by.who === 'run' && run === by.run)?.at ?? at;
  const history = historyOf(trace);
  const since = history.changes.filter((change) => change.at >= began && change.at < at).map(({ object }) => object);
  return certificatesOf([...history.stateBefore(began).values(), ...since]);
}

function certificatesOf(objects: readonly KubeObject[]): readonly string[] {
  return objects.filter(isAuthority).flatMap((secret) => keyPairOf(secret)?.certificate ?? []);
}

function restingBreach(leaf: KubeObject, { resting, now }: Trace, inspect: OraclesWith['inspect']): string | undefined {
  const pair = keyPairOf(leaf);
  const owner = resting.find(({ metadata }) => metadata.uid === ownerUidOf(leaf));
  // Of a service that is going, or that supplies its own by now, the old one is of no account.
  if (owner === undefined || owner.metadata.deletionTimestamp !== undefined || !isGenerated(owner)) return undefined;
  const facts = certificatesOf(resting).map((authority) => pair && inspect(pair, authority));
  const valid = facts.filter((fact) => fact !== undefined);
  if (valid.length === 0) return 'holds no certificate that the stored authority has signed';
  return valid.every(({ notAfter }) => notAfter <= timeOf(now / 1000)) ? 'holds a certificate that has ended' : undefined;
}

function isGenerated(owner: KubeObject): boolean {
  const isEnabled = pick(owner, 'spec', 'security', 'mtls', 'enabled') === true;
  return isEnabled && pick(owner, 'spec', 'security', 'mtls', 'autoGenerate') === true;
}
