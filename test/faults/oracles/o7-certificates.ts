import { canonical } from '../../../packages/controller/decide/canonical.ts';
import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { timeOf } from '../../../packages/controller/domain/time.ts';
import type { Oracle, Trace } from '../../../packages/controller/testing/trace.ts';
import { findings, nameOf, pick } from '../../../packages/controller/testing/trace-words.ts';
import { nextOf } from '../../../resources/distributed-service/certificates/ca-secret.ts';
import { keyPairOf, textOf } from '../../../resources/distributed-service/certificates/key-pair.ts';
import { labels } from '../../../resources/distributed-service/names.ts';
import type { DistributedService } from '../../../resources/distributed-service/types.ts';
import { keyOfObject, ownerUidOf } from './accessors.ts';
import { type FullChange, type History, historyOf } from './history.ts';
import type { OraclesWith } from './inspection.ts';

/**
 * O7: a trust domain (the Secret with the authority of a server profile) gets one authority, which is changed by rotation
 * alone; a certificate is written together with its key, signed by an authority that was stored while the run went on; at
 * rest it is signed by one that is stored, and has not ended.
 */
export function certificates({ inspect }: Pick<OraclesWith, 'inspect'>): Oracle {
  return (trace) => {
    const { found, say } = findings('O7');
    const history = historyOf(trace);
    const breaches = [
      ...authorityBreaches(history, trace, inspect),
      ...history.changes.flatMap((change) => leafBreach(change, trace, inspect)),
      ...trace.resting.filter(isLeaf).flatMap((leaf) => restingBreach(leaf, trace, inspect)),
    ];
    for (const { object, what, at } of breaches) say(`${nameOf(refOf(object))} ${what}`, at);
    return found;
  };
}

interface Breach {
  readonly object: KubeObject;
  readonly what: string;
  readonly at?: number;
}

function authorityBreaches(history: History, trace: Trace, inspect: Inspect): readonly Breach[] {
  const published = new Set([...history.stateBefore(0).values()].filter(isAuthority).map(keyOfObject));
  return history.changes.flatMap((change) => {
    const { by, type, object, at, before } = change;
    if (![object, before].some((one) => one !== undefined && isAuthority(one))) return [];
    const key = keyOfObject(object);
    if (by.who !== 'run') {
      // A person may want another one. The garbage collector has none to take: servers trust it.
      if (type === 'DELETED' && by.who === 'user') published.delete(key);
      return [];
    }
    if (type === 'DELETED') return [{ object, what: 'is an authority and was deleted by a run', at }];
    if (before !== undefined) return rotationBreach({ ...change, before }, { history, trace, inspect });
    const isSecond = published.has(key);
    published.add(key);
    return isSecond ? [{ object, what: 'is a second authority of one trust domain', at }] : bundleBreach(change);
  });
}

interface Rotated extends FullChange {
  readonly before: KubeObject;
}

interface Around {
  readonly history: History;
  readonly trace: Trace;
  readonly inspect: Inspect;
}

/** An authority gets a successor, or gives its place to the one that it had when nothing that it signed lives any more. */
function rotationBreach(change: Rotated, { history, trace, inspect }: Around): readonly Breach[] {
  const { object, before, at } = change;
  const [was, is] = [before, object].map((one) => [keyPairOf(one), nextOf(one)].map((pair) => canonical(pair ?? null)));
  const [elder, successor] = was ?? [];
  const none = canonical(null);
  const isSame = is?.[0] === elder && (is?.[1] === successor || successor === none);
  if (isSame) return bundleBreach(change);
  if (successor === none || is?.[0] !== successor || is?.[1] !== none)
    return [{ object, what: 'is an authority and was changed in another way than by its rotation', at }];
  const signs = keyPairOf(before)?.certificate ?? '';
  const leaves = [...history.stateBefore(at).values()].filter(isLeaf).flatMap((leaf) => keyPairOf(leaf) ?? []);
  const living = leaves.some((pair) => (inspect(pair, signs)?.notAfter ?? '') > timeOf(trace.now / 1000));
  return living ? [{ object, what: 'lost an authority whose certificates still live', at }] : bundleBreach(change);
}

function bundleBreach({ object, at }: FullChange): readonly Breach[] {
  const bundle = textOf(object, 'ca.crt') ?? '';
  const isWhole = certificatesOf([object]).every((certificate) => bundle.includes(certificate.trim()));
  return isWhole ? [] : [{ object, what: 'is an authority that its bundle does not hold', at }];
}

function isAuthority({ metadata }: KubeObject): boolean {
  return metadata.labels?.[labels.authority] !== undefined;
}

/** The certificate that Knudge makes for a service; not one that a person supplies. */
function isLeaf(object: KubeObject): boolean {
  return object.kind === 'Secret' && pick(object, 'type') === 'kubernetes.io/tls' && ownerUidOf(object) !== undefined;
}

function isNewData({ type, object, before }: FullChange): boolean {
  return type !== 'DELETED' && canonical(pick(object, 'data')) !== canonical(pick(before, 'data'));
}

type Inspect = OraclesWith['inspect'];

function leafBreach(change: FullChange, trace: Trace, inspect: Inspect): readonly Breach[] {
  const { by, object, at } = change;
  if (by.who !== 'run' || !isLeaf(object) || !isNewData(change)) return [];
  const pair = keyPairOf(object);
  if (pair === undefined) return [{ object, what: 'was written without its certificate or its key', at }];
  if (inspect(pair) === undefined) return [{ object, what: 'was written with a key that does not fit', at }];
  const isSigned = authoritiesDuring(change, trace).some((authority) => inspect(pair, authority) !== undefined);
  return isSigned ? [] : [{ object, what: 'was written with a certificate that no stored authority has signed', at }];
}

/** Every authority that was stored at any moment between the first call of the run and this write. */
function authoritiesDuring({ by, at }: FullChange, trace: Trace): readonly string[] {
  const began = trace.calls.find(({ run }) => by.who === 'run' && run === by.run)?.at ?? at;
  const history = historyOf(trace);
  const since = history.changes.filter((change) => change.at >= began && change.at < at).map(({ object }) => object);
  return certificatesOf([...history.stateBefore(began).values(), ...since]);
}

function certificatesOf(objects: readonly KubeObject[]): readonly string[] {
  const stored = objects.filter(isAuthority).flatMap((secret) => [keyPairOf(secret), nextOf(secret)]);
  return stored.flatMap((pair) => pair?.certificate ?? []);
}

function restingBreach(leaf: KubeObject, { resting, now }: Trace, inspect: Inspect): readonly Breach[] {
  const pair = keyPairOf(leaf);
  const owner = resting.find(({ metadata }) => metadata.uid === ownerUidOf(leaf));
  // Of a service that is going, or that supplies its own by now, the old one is of no account.
  if (owner === undefined || owner.metadata.deletionTimestamp !== undefined || !isGenerated(owner)) return [];
  const stored = certificatesOf(resting.filter((secret) => isUsableFor(owner, secret, { now, inspect })));
  // Its profile is away, or its authority spoilt or over, which is for a person: O1 says whether anything is due.
  if (stored.length === 0) return [];
  const facts = stored.map((authority) => pair && inspect(pair, authority)).filter((fact) => fact !== undefined);
  if (facts.length === 0) return [{ object: leaf, what: 'holds no certificate that the stored authority has signed' }];
  const hasEnded = facts.every(({ notAfter }) => notAfter <= timeOf(now / 1000));
  return hasEnded ? [{ object: leaf, what: 'holds a certificate that has ended' }] : [];
}

/** The authority beside the profile that the service uses, as long as it holds. */
function isUsableFor(
  owner: KubeObject,
  secret: KubeObject,
  { now, inspect }: { readonly now: number; readonly inspect: Inspect },
): boolean {
  const { labels: own, namespace } = secret.metadata;
  const { status = {} } = owner as DistributedService;
  // Without its profile it makes no certificate, and its status names the profile of before.
  if (status.conditions?.some(({ reason }) => reason === 'WaitingForServerProfile') === true) return false;
  const [home] = (status.serverProfile ?? '').split('/');
  if (own?.[labels.authority] !== pick(owner, 'spec', 'serverProfile') || namespace !== home) return false;
  const pair = keyPairOf(secret);
  const facts = pair && inspect(pair);
  return facts !== undefined && facts.notAfter > timeOf(now / 1000);
}

function isGenerated(owner: KubeObject): boolean {
  const isEnabled = pick(owner, 'spec', 'security', 'mtls', 'enabled') === true;
  return isEnabled && pick(owner, 'spec', 'security', 'mtls', 'autoGenerate') === true;
}
