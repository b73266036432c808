import type { KubeObject } from '../domain/kube-object.ts';
import { labels, manager } from '../domain/names.ts';
import { patches, type Transport } from './call.ts';
import { readObject } from './read.ts';
import { writeObject } from './write.ts';

/** Which Lease: nobody holds it, it only keeps a time where every instance sees it. */
export interface LeaseName {
  readonly namespace: string;
  readonly name: string;
}

interface Lease extends KubeObject {
  readonly spec?: { readonly renewTime?: string };
}

/** Makes or renews it, in one request: server-side apply. The time is RFC 3339. */
export async function renewLease(transport: Transport, lease: LeaseName, time: string): Promise<void> {
  const ref = refOf(lease);
  const { apiVersion, kind } = ref;
  const metadata = { ...lease, labels: { [labels.managedBy]: manager } };
  // MicroTime: the API server takes nothing but six digits of a second.
  const spec = { renewTime: new Date(time).toISOString().replace('Z', '000Z') };
  const body = { apiVersion, kind, metadata, spec };
  await writeObject(transport, { ref, verb: 'apply', contentType: patches.apply, force: true, body });
}

/** When it was renewed last, in milliseconds since 1970; undefined where it never was. */
export async function renewedAt(transport: Transport, lease: LeaseName): Promise<number | undefined> {
  const found: Lease | undefined = await readObject(transport, refOf(lease));
  const time = Date.parse(found?.spec?.renewTime ?? '');
  return Number.isNaN(time) ? undefined : time;
}

function refOf(lease: LeaseName) {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', ...lease };
}
