import { KnudgeError } from '../../../packages/controller/domain/errors.ts';
import type { HandlerContext } from '../../../packages/controller/domain/ports.ts';
import { distributedService } from '../../managed/kinds.ts';
import type { DistributedService } from '../types.ts';

/**
 * Every DistributedService that may use what lies in this namespace: those beside it and, for the controller's
 * namespace, where what is shared lies, all. None while their kind is not served: a CustomResourceDefinition that is
 * deleted takes its objects along, and when it comes back, each of them is an event of its own. `fieldSelector` takes some of them by the
 * fields that crds/ makes selectable; where the API server knows no such fields, all are given.
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
