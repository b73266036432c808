import type { Change } from '../../../packages/controller/domain/change.ts';
import { KnudgeError } from '../../../packages/controller/domain/errors.ts';
import type { KubeObject, ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import type { Reader } from '../../../packages/controller/domain/ports.ts';
import { distributedService } from '../../managed/kinds.ts';
import type { Claim, ClaimSpec } from '../claims/types.ts';
import { labels } from '../names.ts';

/** The version that is read here; an event may carry another. */
const claimKind = { apiVersion: 'frp.io/v1beta1', kind: 'Claim' } as const;

/** More services may share a host. Each of the others learns of it at its own next event. */
const mostHolders = 8;

/** If many services wait, only those that have waited longest are woken. The resync finds the others. */
const mostWoken = 32;

/** The services that held a Claim that is deleted, from the event of its deletion: they make it again if they still want it. */
export async function holdersIn({ ref, hint }: Change, reader: Reader): Promise<readonly ObjectRef[]> {
  const spec = hint && specOf(hint);
  if (spec?.state !== 'Held' || (await reader.getMetadata({ ...ref, ...claimKind })) !== undefined) return [];
  return servicesIn(spec).slice(0, mostHolders);
}

/** The services that wait for this Claim, longest first. Nobody waits for a waiting Claim, nor once the definition of Claims is deleted. */
export async function claimantsOf({ ref }: Pick<Change, 'ref'>, reader: Reader): Promise<readonly ObjectRef[]> {
  const { namespace, name } = ref;
  const query = { ...claimKind, namespace, labelSelector: `${labels.claim}=${name}` };
  const waiting = await reader.list(query).catch(nothingOfNone);
  const since = (claim: KubeObject): string => `${specOf(claim)?.since ?? ''} ${claim.metadata.name}`;
  const inLine = waiting.toSorted((one, other) => (since(one) < since(other) ? -1 : 1));
  return inLine.slice(0, mostWoken).flatMap((claim) => servicesIn(specOf(claim)));
}

function nothingOfNone(error: unknown): readonly KubeObject[] {
  if (error instanceof KnudgeError && error.code === 'kind-not-served') return [];
  throw error;
}

/** An event may carry an object without a spec. */
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
