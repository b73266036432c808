import type { Access } from '../../controller/cluster/access.ts';
import { createTransport } from '../../controller/cluster/transport.ts';
import { guessedPlural, versionPath } from '../../controller/domain/plural.ts';
import type { WatchedResource } from '../mesh-spec.ts';

/**
 * Whether the objects of a kind live in namespaces, by the API server's answer. A kind that it does not serve, or an answer that
 * cannot be had, counts as namespaced: the watch then says what is wrong.
 */
export async function isNamespaced(
  { apiVersion, kind }: Pick<WatchedResource, 'apiVersion' | 'kind'>,
  { access, version }: { readonly access: Access; readonly version: string },
): Promise<boolean> {
  const transport = createTransport({ access, version });
  const path = versionPath(apiVersion);
  try {
    const served = await transport({ method: 'GET', verb: 'get', resource: 'discovery', target: path, path });
    const found = resourcesIn(served).find(({ name }) => name === guessedPlural(kind));
    return found?.namespaced !== false;
  } catch {
    return true;
  } finally {
    transport.close();
  }
}

/** The entries of an `APIResourceList`. */
function resourcesIn(served: unknown): readonly { readonly name?: unknown; readonly namespaced?: unknown }[] {
  const resources: unknown = (served as { resources?: unknown } | null)?.resources;
  return Array.isArray(resources) ? resources.filter((one) => typeof one === 'object' && one !== null) : [];
}
