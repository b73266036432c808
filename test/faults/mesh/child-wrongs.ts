import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { annotations, labels } from '../../../packages/controller/domain/names.ts';

/** What is wrong with a child that must be there, whatever it is. `who` names it. */
export function childWrongs(child: KubeObject | undefined, who: string, owner: KubeObject): readonly string[] {
  if (child === undefined) return [`${who} is not there`];
  const { metadata } = child;
  const isOwned = metadata.ownerReferences?.some(({ uid, controller }) => controller && uid === owner.metadata.uid);
  return [
    ...(isOwned ? [] : [`${who} belongs to somebody else`]),
    ...(metadata.labels?.[labels.ownerUid] === owner.metadata.uid ? [] : [`${who} lacks our label`]),
    ...(metadata.labels?.[labels.managedBy] === 'knudge' ? [] : [`${who} says that it is managed by another`]),
    ...(metadata.annotations?.[annotations.specHash] === undefined ? [`${who} lacks its hash`] : []),
  ];
}
