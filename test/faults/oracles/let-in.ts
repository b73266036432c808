import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import { nameOf, pick } from '../../../packages/controller/testing/trace-words.ts';
import { fileNames } from '../../../resources/distributed-service/envoy/data-plane.ts';
import { childName } from '../../../resources/distributed-service/names.ts';
import type { DistributedService } from '../../../resources/distributed-service/types.ts';
import { type Asked, askedBy, isLetIn } from '../sim/gate.ts';
import { keyOf, keyOfObject } from './accessors.ts';
import { historyOf } from './history.ts';

/**
 * What a service would be let in with at its FRP server in the moment in which a person has changed its spec, and nobody has looked at
 * that: no more than what Knudge has made a configuration of last, even if a person has damaged or deleted that one since, which lets
 * go of no claim. The tunnel has no other, but the tenant may run a client of their own.
 */
export function letInUnseen(trace: Trace): readonly { readonly what: string; readonly at: number }[] {
  const { changes, stateBefore } = historyOf(trace);
  const initial = stateBefore(-1);
  return changes.flatMap(({ type, object, before, by, at }) => {
    if (by.who !== 'user' || type !== 'MODIFIED' || object.kind !== 'DistributedService') return [];
    if (JSON.stringify(pick(object, 'spec')) === JSON.stringify(pick(before, 'spec'))) return [];
    const service = object as DistributedService;
    const asked = askedBy(service);
    if (asked === undefined || !isLetIn(service, asked)) return [];
    const key = configKey(service);
    const made = changes.findLast((one) => one.at < at && one.by.who === 'run' && keyOfObject(one.object) === key);
    const config = made === undefined ? initial.get(key) : made.type === 'DELETED' ? undefined : made.object;
    if (isMade(asked, config)) return [];
    return [{ what: `${nameOf(refOf(service))} is let in with what nobody has looked at`, at }];
  });
}

const fields = {
  remotePort: 'remote_port',
  customDomains: 'custom_domains',
  subdomain: 'subdomain',
  locations: 'locations',
} as const;

function configKey({ metadata }: DistributedService): string {
  const { name, namespace = '' } = metadata;
  return keyOf({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name: childName(name, 'config') });
}

function isMade(asked: Asked, config: KubeObject | undefined): boolean {
  const text = pick(config, 'data', fileNames.frpc);
  const proxies: unknown = typeof text === 'string' ? pick(JSON.parse(text), 'proxies') : [];
  const [proxy] = Array.isArray(proxies) ? proxies : [];
  return Object.entries(fields).every(([made, field]) => told(pick(proxy, made)) === told(asked.get(field)));
}

function told(value: unknown): string {
  return Array.isArray(value) ? [...value].sort().join(' ') : String(value);
}
