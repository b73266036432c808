import { createHash } from 'node:crypto';
import { controllerOf, type KubeObject, refOf } from '../../../src/domain/kube-object.ts';
import { childName, labels } from '../../../src/domain/names.ts';
import type { Trace } from '../trace.ts';
import { nameOf, pick } from './accessors.ts';

/**
 * Services that tell the gate of another token than the one that their tunnel shows, at the end. Of a spec that makes no sense nothing
 * new is told, and the gate lets such a service in nowhere.
 */
export function falseDigests({ objects }: Trace): readonly string[] {
  return objects.flatMap((service) => {
    if (service.kind !== 'DistributedService' || service.metadata.deletionTimestamp !== undefined) return [];
    const told = pick(service, 'status', 'identityDigest');
    const shown = digestOf(objects.find((one) => isIdentityOf(one, service)));
    if (told === shown || isSenseless(service)) return [];
    // Before the first pass, and while the profile is away, nothing is told.
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
