import type { Change } from '../domain/change.ts';
import type { KubeObject } from '../domain/kube-object.ts';
import type { Reader } from '../domain/ports.ts';

/**
 * The object that shows which parents a change concerns: as the event carried it, else, in reference mode, its metadata as it
 * is now; undefined where neither is to be had. Only labels and owner references are ever asked of it.
 */
export async function subjectOf({ hint, ref }: Change, reader: Reader): Promise<KubeObject | undefined> {
  return hint ?? (await reader.getMetadata(ref));
}
