import { controllerOf, type KubeObject, type ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../../../packages/controller/domain/names.ts';
import { message } from '../../managed/kinds.ts';

const beginning = 'msg-';

/**
 * The Message whose Pod it is, by its name, where somebody has taken the owner off a Pod that Knudge made: its end is what the next
 * Pod waits for. Where the Message's name is so long that its Pod has another, this names a Message that is nowhere.
 */
export function messageOfStray(pod: KubeObject | undefined): readonly ObjectRef[] {
  if (pod === undefined || controllerOf(pod) !== undefined) return [];
  const { name, namespace = '', labels: own } = pod.metadata;
  if (own?.[labels.ownerUid] === undefined || !name.startsWith(beginning)) return [];
  return [{ ...message, namespace, name: name.slice(beginning.length) }];
}
