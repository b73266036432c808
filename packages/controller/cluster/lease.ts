import { asKnudgeError, KnudgeError } from '../domain/errors.ts';
import { describe, type KubeObject } from '../domain/kube-object.ts';
import { annotations, labels, manager } from '../domain/names.ts';
import type { Cost, Round } from '../domain/rounds.ts';
import { patches, type Transport } from './call.ts';
import { readObject } from './read.ts';
import { writeObject } from './write.ts';

/** Which Lease. */
export interface LeaseName {
  readonly namespace: string;
  readonly name: string;
}

/**
 * The times that a Lease keeps for every instance to see, in milliseconds since 1970 (no process holds this Lease); empty if the
 * Lease does not exist.
 */
export interface KeptLease {
  readonly renewed?: number;
  readonly taken?: { readonly at: number; readonly by: string };
  /** The round of the resync that is under way. */
  readonly round?: Round;
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

/** Tries: another instance may be faster that often. */
const mostTries = 3;

/**
 * Removes a finished round, over what was read (rule R2), and keeps when a whole one began: not later than now, and
 * not earlier than the time kept, so that a slow round does not move it back. A time in the future is ignored.
 */
export async function endRound(transport: Transport, lease: LeaseName, ending: Ending): Promise<Cost> {
  for (let tries = 1; ; tries += 1) {
    const kept = await readLease(transport, lease);
    const change = changeAt(ending, kept);
    if (change === undefined) return { reads: tries, writes: tries - 1 };
    try {
      await patchLease(transport, lease, { version: kept.version, ...change });
      return { reads: tries, writes: tries };
    } catch (thrown) {
      const { code } = asKnudgeError(thrown);
      if ((code !== 'conflict' && code !== 'gone') || tries === mostTries) throw thrown;
    }
  }
}

interface Ending {
  readonly round: Round;
  readonly isWhole: boolean;
  /** Milliseconds since 1970, by the API server's clock. */
  readonly now: number;
}

function changeAt(
  { round, isWhole, now }: Ending,
  { renewed = 0, round: kept }: KeptLease,
): Omit<LeaseChange, 'version'> | undefined {
  const began = Math.min(round.began, now);
  const isNews = isWhole && (renewed < began || renewed > now);
  const own = kept?.key === round.key ? { [annotations.underWay]: null } : undefined;
  if (!isNews) return own && { annotations: own, spec: {} };
  const spec = { renewTime: microTime(new Date(began).toISOString()) };
  return { annotations: { ...own, [annotations.round]: round.id }, spec };
}

/** Writes that a round is under way, over what was read, or makes the Lease first; fails with `conflict` where another process was faster. */
export async function keepRound(
  transport: Transport,
  lease: LeaseName,
  { round, version }: { readonly round: Round; readonly version: string | undefined },
): Promise<void> {
  await patchLease(transport, lease, {
    version,
    annotations: { [annotations.underWay]: JSON.stringify(round) },
    spec: {},
  });
}

/** The content of the Lease now. */
export async function readLease(transport: Transport, lease: LeaseName): Promise<KeptLease> {
  const found: Lease | undefined = await readObject(transport, leaseRef(lease));
  if (found === undefined) return {};
  const { renewTime = '', acquireTime = '', holderIdentity } = found.spec ?? {};
  const [renewed, at] = [Date.parse(renewTime), Date.parse(acquireTime)];
  const { resourceVersion } = found.metadata;
  return {
    ...(!Number.isNaN(renewed) && { renewed }),
    ...(!Number.isNaN(at) && holderIdentity !== undefined && { taken: { at, by: holderIdentity } }),
    ...roundIn(found),
    ...(resourceVersion !== undefined && { version: resourceVersion }),
  };
}

/** A value that another program wrote and that is not a round counts as no round. */
function roundIn({ metadata }: Lease): { readonly round?: Round } {
  try {
    const { id, key, before, began, seen, step, tries } = JSON.parse(
      metadata.annotations?.[annotations.underWay] ?? '{}',
    );
    const isRound =
      [id, key, before].every((text) => typeof text === 'string') &&
      [began, seen, step, tries].every(Number.isSafeInteger);
    return isRound ? { round: { id, key, before, began, seen, step, tries } } : {};
  } catch {
    return {};
  }
}

/** Takes the Lease over what was read, or makes it first; fails with `conflict` where another process was faster. */
export async function takeLease(
  transport: Transport,
  lease: LeaseName,
  { by, at, version }: { readonly by: string; readonly at: number; readonly version: string | undefined },
): Promise<void> {
  const spec = { acquireTime: microTime(new Date(at).toISOString()), holderIdentity: by };
  await patchLease(transport, lease, { version, spec });
}

interface LeaseChange {
  /** The version of the Lease that was read; undefined if the cluster has no such Lease: then an empty one is made first. */
  readonly version: string | undefined;
  readonly annotations?: Readonly<Record<string, string | null>>;
  readonly spec: object;
}

/** By merge patch: an apply of Knudge would remove fields that it does not name, and the two writers stay distinct. */
export async function patchLease(transport: Transport, lease: LeaseName, change: LeaseChange): Promise<KubeObject> {
  const { version, annotations: own, spec } = change;
  const resourceVersion = version ?? (await makeLease(transport, lease));
  const body = { metadata: { resourceVersion, ...(own && { annotations: own }) }, spec };
  return writeObject(transport, { ref: leaseRef(lease), verb: 'patch', contentType: patches.merge, body });
}

/**
 * By an apply that names nothing but the label: a Role that allows one Lease by its name does not allow a POST, whose path has no
 * name. Where another process was faster the apply changes nothing, and a Lease that is not empty has that one's decision in it.
 * Gives its resourceVersion.
 */
async function makeLease(transport: Transport, lease: LeaseName): Promise<string | undefined> {
  const ref = leaseRef(lease);
  const { apiVersion, kind } = ref;
  const body = { apiVersion, kind, metadata: { ...lease, labels: { [labels.managedBy]: manager } } };
  const change = { ref, verb: 'apply', contentType: patches.apply, force: true, body };
  const { metadata, spec }: Lease = await writeObject(transport, change);
  if (Object.keys({ ...metadata.annotations, ...spec }).length > 0)
    throw new KnudgeError('conflict', `another process has written to ${describe(ref)} since it was looked for`);
  return metadata.resourceVersion;
}

/** The API server accepts exactly six digits of a second. */
export function microTime(time: string): string {
  return new Date(time).toISOString().replace('Z', '000Z');
}

export function leaseRef(lease: LeaseName) {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...lease };
}
