import type { EventHandler } from '../packages/controller/domain/ports.ts';
import { resync } from '../packages/controller/functions/resync-due.ts';
import { orphanKinds } from '../packages/controller/resync/orphans.ts';
import { childKinds, parentKinds } from '../resources/managed/kinds.ts';

/** Where the resync looks for children whose parent is gone. */
export const looked = orphanKinds(childKinds);

/** Sends an event for each parent, and for each child whose parent is gone. */
export const resyncDue: EventHandler = (received, context) => resync(received, context, { parentKinds, looked });
