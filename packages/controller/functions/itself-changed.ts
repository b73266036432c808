import type { Handler } from '../domain/ports.ts';

/** A parent was added, changed or deleted, or the resync asks after it: for each resource that needs no function of its own. */
export const itselfChanged: Handler = async ({ ref }, { reconcile }) => [await reconcile(ref)];
