import type { DescribedCall } from '../../../packages/controller/testing/calls/describe-call.ts';

/**
 * Whether it can matter which of two calls comes first: they are about the same object, or one lists what the other
 * writes, and one of them writes. All others commute, on the API server and for who asks.
 */
export function areDependent(one: DescribedCall, other: DescribedCall): boolean {
  if (!isWrite(one) && !isWrite(other)) return false;
  const [a, b] = [one.ref, other.ref];
  if (a.kind !== b.kind || (a.namespace !== b.namespace && a.namespace !== '' && b.namespace !== '')) return false;
  return a.name === b.name || one.verb === 'list' || other.verb === 'list';
}

function isWrite({ verb }: DescribedCall): boolean {
  return verb !== 'get' && verb !== 'list';
}
