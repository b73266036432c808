import type { KubeObject } from '../domain/kube-object.ts';
import type { Write } from '../domain/plan.ts';
import { nameOf } from './net.ts';
import type { Given } from './resource.ts';

/** The writes that may be made now. */
export function notHeld(writes: readonly Write[], owner: KubeObject, { held }: Pick<Given, 'held'>): readonly Write[] {
  return held === undefined ? writes : writes.filter((write) => !held.objects.has(nameOf(write, owner)));
}
