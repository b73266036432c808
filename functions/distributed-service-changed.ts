import type { Handler } from '../packages/controller/domain/ports.ts';

/**
 * A DistributedService was added, changed or deleted, or the resync asks after it. Only the event of a change carries the
 * object, and our own write of its status is such a change.
 */
export const distributedServiceChanged: Handler = async ({ ref, hint }, { reconcile }) => [
  await reconcile(ref, { asksNobody: hint !== undefined }),
];
