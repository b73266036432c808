import type { Change } from '../../../packages/controller/domain/change.ts';
import type { KubeObject, ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import type { Reader } from '../../../packages/controller/domain/ports.ts';
import { distributedService } from '../../managed/kinds.ts';
import type { Claim, ClaimSpec } from '../claims/types.ts';
import { labels } from '../names.ts';

/** In the version that is read here, whatever version an event carries. */
const claimKind = { apiVersion: 'frp.io/v1beta1', kind: 'Claim' } as const;

/** More may share a host; each of those finds out by itself, at its next event. */
const mostHolders = 8;

/** Of many that wait those who have waited longest: who is not woken is found by the resync. */
const mostWoken = 32;

/** The services that held a Claim that is gone, by the event of its deletion: it is theirs if they still want it. */
export async function holdersIn({ ref, hint }: Change, reader: Reader): Promise<readonly ObjectRef[]> {
  const spec = hint && specOf(hint);
  if (spec?.state !== 'Held' || (await reader.getMetadata({ ...ref, ...claimKind })) !== undefined) return [];
  return servicesIn(spec).slice(0, mostHolders);
}

/** Who waits for a Claim. One that waits itself is waited for by nobody. */
export async function claimantsOf({ ref }: Pick<Change, 'ref'>, reader: Reader): Promise<readonly ObjectRef[]> {
  const { namespace, name } = ref;
  const waiting = await reader.list({ ...claimKind, namespace, labelSelector: `${labels.claim}=${name}` });
  const since = (claim: KubeObject): string => `${specOf(claim)?.since ?? ''} ${claim.metadata.name}`;
  const inLine = waiting.toSorted((one, other) => (since(one) < since(other) ? -1 : 1));
  return inLine.slice(0, mostWoken).flatMap((claim) => servicesIn(specOf(claim)));
}

/** Of what an event carries nothing is sure. */
function specOf(claim: KubeObject): Partial<ClaimSpec> | undefined {
  return (claim as Partial<Claim>).spec;
}

function servicesIn(spec: Partial<ClaimSpec> | undefined): readonly ObjectRef[] {
  const { namespace, services } = spec ?? {};
  if (typeof namespace !== 'string' || !Array.isArray(services)) return [];
  return services.flatMap((one: { readonly name?: unknown } | null) =>
    typeof one?.name === 'string' ? [{ ...distributedService, namespace, name: one.name }] : [],
  );
}
