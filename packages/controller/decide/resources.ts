import { distributedService } from '../../../resources/distributed-service/plan.ts';
import { message } from '../../../resources/message/plan.ts';
import { groupOf, type ObjectRef } from '../domain/kube-object.ts';
import { withNet } from './net.ts';
import type { Resource } from './resource.ts';

/** The custom resources that Knudge manages: the only list. */
export const resources: readonly Resource[] = [distributedService, message].map(withNet);

/** The resource of an object, in whatever version the object was named; undefined where it is none of ours. */
export function resourceOf({ apiVersion, kind }: Pick<ObjectRef, 'apiVersion' | 'kind'>): Resource | undefined {
  return resources.find((resource) => resource.kind === kind && groupOf(resource.apiVersion) === groupOf(apiVersion));
}
