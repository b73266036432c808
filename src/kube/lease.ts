import type { KubeObject } from '../domain/kube-object.ts';
import { annotations, labels, manager } from '../domain/names.ts';
import { patches, type Transport } from './call.ts';
import { readObject } from './read.ts';
import { writeObject } from './write.ts';

/** Which Lease: nobody holds it, it only keeps times where every instance sees them. */
export interface LeaseName {
  readonly namespace: string;
  readonly name: string;
}

/** What a Lease says, in milliseconds since 1970; of one that is not there nothing. */
export interface KeptLease {
  readonly renewed?: number;
  readonly taken?: { readonly at: number; readonly by: string };
  /** Its resourceVersion. */
  readonly version?: string;
}

interface Lease extends KubeObject {
  readonly spec?: {
    readonly renewTime?: string;
    readonly acquireTime?: string;
    readonly holderIdentity?: string;
  };
}

/** Makes or renews it, in one request: server-side apply. The time is RFC 3339. */
export async function renewLease(
  transport: Transport,
  lease: LeaseName,
  { time, round }: { readonly time: string; readonly round: string },
): Promise<void> {
  await applyLease(transport, lease, {
    annotations: { [annotations.round]: round },
    spec: { renewTime: microTime(time) },
  });
}

/** What it says now. */
export async function readLease(transport: Transport, lease: LeaseName): Promise<KeptLease> {
  const found: Lease | undefined = await readObject(transport, refOf(lease));
  if (found === undefined) return {};
  const { renewTime = '', acquireTime = '', holderIdentity } = found.spec ?? {};
  const [renewed, at] = [Date.parse(renewTime), Date.parse(acquireTime)];
  const { resourceVersion } = found.metadata;
  return {
    ...(!Number.isNaN(renewed) && { renewed }),
    ...(!Number.isNaN(at) && holderIdentity !== undefined && { taken: { at, by: holderIdentity } }),
    ...(resourceVersion !== undefined && { version: resourceVersion }),
  };
}

/**
 * Takes it over what was read, or makes it first. By merge patch: what an apply of Knudge does not name it would take away
 * again, and the two are told apart.
 */
export async function takeLease(
  transport: Transport,
  lease: LeaseName,
  { by, at, version }: { readonly by: string; readonly at: number; readonly version: string | undefined },
): Promise<void> {
  const resourceVersion = version ?? (await applyLease(transport, lease, {})).metadata.resourceVersion;
  const spec = { acquireTime: microTime(new Date(at).toISOString()), holderIdentity: by };
  const body = { metadata: { resourceVersion }, spec };
  await writeObject(transport, { ref: refOf(lease), verb: 'patch', contentType: patches.merge, body });
}

function applyLease(
  transport: Transport,
  lease: LeaseName,
  { annotations: own, spec }: { readonly annotations?: Readonly<Record<string, string>>; readonly spec?: object },
): Promise<KubeObject> {
  const ref = refOf(lease);
  const { apiVersion, kind } = ref;
  const metadata = { ...lease, labels: { [labels.managedBy]: manager }, ...(own && { annotations: own }) };
  const body = { apiVersion, kind, metadata, ...(spec && { spec }) };
  return writeObject(transport, { ref, verb: 'apply', contentType: patches.apply, force: true, body });
}

/** The API server takes nothing but six digits of a second. */
function microTime(time: string): string {
  return new Date(time).toISOString().replace('Z', '000Z');
}

function refOf(lease: LeaseName) {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...lease };
}
