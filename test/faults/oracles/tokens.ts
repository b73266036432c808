import { createHash } from 'node:crypto';
import { controllerOf, type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../../../packages/controller/domain/names.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { nameOf, pick } from '../../../packages/controller/testing/trace-words.ts';
import { fileNames } from '../../../resources/distributed-service/envoy/data-plane.ts';
import { childName } from '../../../resources/distributed-service/names.ts';
import { keyOfObject } from './accessors.ts';
import { type FullChange, historyOf } from './history.ts';

/**
 * Services whose status names another token than the one that their tunnel shows, at the end. Of a spec that makes no sense nothing
 * new is reported, and the gate lets such a service in nowhere.
 */
export function falseDigests({ objects }: Trace): readonly string[] {
  return objects.flatMap((service) => {
    if (service.kind !== 'DistributedService' || service.metadata.deletionTimestamp !== undefined) return [];
    const told = pick(service, 'status', 'identityDigest');
    const shown = digestOf(objects.find((one) => isIdentityOf(one, service)));
    if (told === shown || isSenseless(service)) return [];
    // Before the first pass, and while the profile is away, nothing is reported.
    if (told === undefined && pick(service, 'status', 'state') !== 'Running') return [];
    return [
      `${nameOf(refOf(service))} tells a digest of ${told === undefined ? 'no token' : 'a token that is not its own'}`,
    ];
  });
}

function isIdentityOf(one: KubeObject, service: KubeObject): boolean {
  const { name, namespace, uid } = service.metadata;
  const isPlace = one.kind === 'Secret' && one.metadata.namespace === namespace;
  // Also after somebody took the owner away.
  const owner = controllerOf(one)?.uid ?? one.metadata.labels?.[labels.ownerUid];
  return isPlace && one.metadata.name === childName(name, 'identity') && owner === uid;
}

/** As docs/decisions/0041 has it; not by the product's own code. */
function digestOf(secret: KubeObject | undefined): string | undefined {
  const token = pick(secret, 'data', 'token');
  if (typeof token !== 'string' || secret?.metadata.deletionTimestamp !== undefined) return undefined;
  return createHash('sha256').update(Buffer.from(token, 'base64')).digest('hex').slice(0, 32);
}

function isSenseless(service: KubeObject): boolean {
  const conditions = pick(service, 'status', 'conditions');
  return Array.isArray(conditions) && conditions.some((one) => pick(one, 'reason') === 'InvalidSpec');
}

/** Tokens that were shown to two servers: each with the configuration that a Pod of the tunnel would have started with at some moment. */
export function sharedTokens(trace: Trace): readonly string[] {
  const { changes, stateBefore } = historyOf(trace);
  const state = new Map(stateBefore(Number.NEGATIVE_INFINITY));
  const shown = new Map<string, Set<string>>();
  const look = (): void => {
    for (const { secret, token } of identitiesIn(state)) {
      const server = serverOf(state, secret);
      if (server === undefined) continue;
      const key = `${nameOf(refOf(secret))} ${token}`;
      shown.set(key, (shown.get(key) ?? new Set()).add(server));
    }
  };
  look();
  for (const change of changes) {
    const { type, object, by } = change;
    if (object.kind !== 'Secret' && object.kind !== 'ConfigMap') continue;
    // What a person has written into our configuration is that person's matter.
    const isOfPerson = by.who !== 'run' && object.kind === 'ConfigMap';
    if (type === 'DELETED' || isOfPerson || isDecidedBefore(change, trace)) state.delete(keyOfObject(object));
    else state.set(keyOfObject(object), object);
    look();
  }
  return [...shown]
    .filter(([, servers]) => servers.size > 1)
    .map(([key, servers]) => `the token of ${key.replace(/ \S+$/, '')} was shown to ${[...servers].join(' and ')}`);
}

/**
 * Whether a run wrote a configuration after another one had made the token that it had looked for in vain: only where a service
 * goes to a second and a third server within one pass.
 */
function isDecidedBefore({ object, by, at }: FullChange, { calls, changes }: Trace): boolean {
  if (object.kind !== 'ConfigMap' || by.who !== 'run') return false;
  const { namespace, name } = object.metadata;
  const identity = `${namespace}/${name.replace(/-config$/, '-identity')}`;
  const looked = calls.findLast(
    (call) => call.run === by.run && call.at < at && `${call.ref.namespace}/${call.ref.name}` === identity,
  );
  return changes.some(
    (one) =>
      one.type === 'ADDED' &&
      `${one.object.metadata.namespace}/${one.object.metadata.name}` === identity &&
      !(one.by.who === 'run' && one.by.run === by.run) &&
      one.at > (looked?.at ?? at) &&
      one.at < at,
  );
}

function identitiesIn(
  state: ReadonlyMap<string, KubeObject>,
): { readonly secret: KubeObject; readonly token: string }[] {
  return [...state.values()].flatMap((secret) => {
    const isNamed = secret.kind === 'Secret' && secret.metadata.name.endsWith('-identity');
    const token = isNamed ? pick(secret, 'data', 'token') : undefined;
    return typeof token === 'string' ? [{ secret, token }] : [];
  });
}

/** The server that the configuration beside a token names. */
function serverOf(state: ReadonlyMap<string, KubeObject>, { metadata }: KubeObject): string | undefined {
  const name = metadata.name.replace(/-identity$/, '-config');
  const config = [...state.values()].find(
    (one) => one.kind === 'ConfigMap' && one.metadata.namespace === metadata.namespace && one.metadata.name === name,
  );
  const text = pick(config, 'data', fileNames.frpc);
  if (typeof text !== 'string') return undefined;
  try {
    const { serverAddr, serverPort } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return typeof serverAddr === 'string' ? `${serverAddr}:${String(serverPort)}` : undefined;
  } catch {
    // Somebody else's, or spoilt: nothing is started with it for long.
    return undefined;
  }
}
