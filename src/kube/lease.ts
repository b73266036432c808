import { asKnudgeError } from '../domain/errors.ts';
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

/** How often another instance may be faster. */
const mostTries = 3;

/** Keeps a time (RFC 3339) that is later than the one that is kept, over what was read (rule R2): a round that was slow takes nothing back. */
export async function renewLease(
  transport: Transport,
  lease: LeaseName,
  { time, round }: { readonly time: string; readonly round: string },
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const { renewed, version } = await readLease(transport, lease);
    if (renewed !== undefined && renewed >= Date.parse(time)) return;
    const change = { annotations: { [annotations.round]: round }, spec: { renewTime: microTime(time) } };
    try {
      await patchLease(transport, lease, { version, ...change });
      return;
    } catch (thrown) {
      const { code } = asKnudgeError(thrown);
      if ((code !== 'conflict' && code !== 'gone') || tries === mostTries) throw thrown;
    }
  }
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

/** Takes it over what was read, or makes it first. */
export async function takeLease(
  transport: Transport,
  lease: LeaseName,
  { by, at, version }: { readonly by: string; readonly at: number; readonly version: string | undefined },
): Promise<void> {
  const spec = { acquireTime: microTime(new Date(at).toISOString()), holderIdentity: by };
  await patchLease(transport, lease, { version, spec });
}

interface LeaseChange {
  /** Of the Lease that was read; undefined where the cluster has no such Lease, and then an empty one is made first. */
  readonly version: string | undefined;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec: object;
}

/** By merge patch: what an apply of Knudge does not name it would take away again, and the two who write are told apart. */
async function patchLease(transport: Transport, lease: LeaseName, change: LeaseChange): Promise<void> {
  const { version, annotations: own, spec } = change;
  const resourceVersion = version ?? (await makeLease(transport, lease)).metadata.resourceVersion;
  const body = { metadata: { resourceVersion, ...(own && { annotations: own }) }, spec };
  await writeObject(transport, { ref: refOf(lease), verb: 'patch', contentType: patches.merge, body });
}

/**
 * By an apply that names nothing but the label: a Role that allows one Lease by its name does not allow a POST, whose path has no
 * name. Of two processes that do this at once the second changes nothing.
 */
function makeLease(transport: Transport, lease: LeaseName): Promise<KubeObject> {
  const ref = refOf(lease);
  const { apiVersion, kind } = ref;
  const body = { apiVersion, kind, metadata: { ...lease, labels: { [labels.managedBy]: manager } } };
  return writeObject(transport, { ref, verb: 'apply', contentType: patches.apply, force: true, body });
}

/** The API server takes nothing but six digits of a second. */
function microTime(time: string): string {
  return new Date(time).toISOString().replace('Z', '000Z');
}

function refOf(lease: LeaseName) {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...lease };
}
