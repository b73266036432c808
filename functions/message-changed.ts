import type { Handler } from '../packages/controller/domain/ports.ts';

/** A Message was added, changed or deleted, or the resync asks after it. */
export const messageChanged: Handler = async ({ ref }, { reconcile }) => [await reconcile(ref)];
