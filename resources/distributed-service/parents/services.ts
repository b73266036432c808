import { KnudgeError } from '../../../packages/controller/domain/errors.ts';
import type { HandlerContext } from '../../../packages/controller/domain/ports.ts';
import { distributedService } from '../../managed/kinds.ts';
import type { DistributedService } from '../types.ts';

/**
 * Every DistributedService that may use an object of this namespace: those of the namespace and, because the controller's namespace
 * holds what all share, for that one the services of all namespaces. There are none while the API server does not serve the kind: a
 * CustomResourceDefinition that is deleted takes its objects along, and an event reports each one that is created again later.
 * `fieldSelector` selects by the fields that crds/ makes selectable. An API server that does not know them gives all services.
 */
export async function servicesNear(
  home: string,
  { reader, controllerNamespace }: Pick<HandlerContext, 'reader' | 'controllerNamespace'>,
  fieldSelector?: string,
): Promise<readonly DistributedService[]> {
  const namespace = home === controllerNamespace ? '' : home;
  const all = { ...distributedService, namespace, labelSelector: '' };
  try {
    const services = await reader.list(fieldSelector === undefined ? all : { ...all, fieldSelector });
    return services as readonly DistributedService[];
  } catch (error) {
    const code = error instanceof KnudgeError ? error.code : undefined;
    if (code === 'kind-not-served') return [];
    if (code === 'unexpected-answer' && fieldSelector !== undefined)
      return servicesNear(home, { reader, controllerNamespace });
    throw error;
  }
}
