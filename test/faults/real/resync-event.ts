import { randomUUID } from 'node:crypto';
import type { Stem } from '../../../functions/table.ts';
import { requestedType } from '../../../packages/controller/domain/change.ts';
import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { eventIn } from '../../../packages/controller/testing/sim/event.ts';
import type { Due } from '../../../packages/controller/testing/sim/run.ts';
import { encode } from '../../../packages/controller/wire/encode.ts';
import { dueOf } from '../sim/source.ts';

/** What the Triggers make of the event by which the resync asks after a parent. */
export function resyncOf(parent: KubeObject): readonly Due<Stem>[] {
  const { apiVersion, kind, namespace, name } = refOf(parent);
  const extensions = { apiversion: apiVersion, kind, namespace, name };
  const time = new Date().toISOString();
  const source = '/knudge/resync-due';
  const event = eventIn(encode({ id: randomUUID(), type: requestedType, source, time, extensions }));
  return event === undefined ? [] : dueOf(event);
}
