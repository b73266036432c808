import type { ObjectRef } from '../domain/kube-object.ts';
import type { Reader } from '../domain/ports.ts';

/** Those of these parents that exist, by one cheap read each: a name in an event may be anybody's. */
export async function thatAreThere(parents: readonly ObjectRef[], reader: Reader): Promise<readonly ObjectRef[]> {
  const found = await Promise.all(parents.map((parent) => reader.getMetadata(parent)));
  return parents.filter((_, at) => found[at] !== undefined);
}
