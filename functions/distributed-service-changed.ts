import type { Handler } from '../src/domain/ports.ts';

/** A DistributedService was added, changed or deleted, or the resync asks after it. */
export const distributedServiceChanged: Handler = async ({ ref }, { reconcile }) => [await reconcile(ref)];
