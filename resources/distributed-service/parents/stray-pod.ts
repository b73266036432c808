import { controllerOf, type KubeObject, type ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../../../packages/controller/domain/names.ts';
import { message } from '../../managed/kinds.ts';

const beginning = 'msg-';

/**
 * The Message of a Pod that Knudge made and from which somebody has removed the owner reference, by the name of the Pod. The Message
 * waits for the end of this Pod to make the next one. A Pod with a shortened name leads to a Message that does not exist.
 */
export function messageOfStray(pod: KubeObject | undefined): readonly ObjectRef[] {
  if (pod === undefined || controllerOf(pod) !== undefined) return [];
  const { name, namespace = '', labels: own } = pod.metadata;
  if (own?.[labels.ownerUid] === undefined || !name.startsWith(beginning)) return [];
  return [{ ...message, namespace, name: name.slice(beginning.length) }];
}
