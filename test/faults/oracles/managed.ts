import type { Resource } from '../../../packages/controller/decide/resource.ts';
import { resourceIn } from '../../../packages/controller/decide/resource-in.ts';
import type { ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { resourcesWith, type Tools } from '../../../resources/managed/resources.ts';
import { tools } from '../../build/tools.ts';

/** What the product manages: judged by what it reads and writes, whatever its tools are. */
export const resources: readonly Resource[] = resourcesWith(tools());

/** The resource of an object, with these tools where it matters what they make; undefined where none manages it. */
export function resourceOf(
  ref: Pick<ObjectRef, 'apiVersion' | 'kind'>,
  own: Partial<Tools> | undefined = undefined,
): Resource | undefined {
  return resourceIn(own === undefined ? resources : resourcesWith(tools(own)), ref);
}
