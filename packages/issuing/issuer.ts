import { inspect } from './inspect.ts';
import type { Issuer } from './types.ts';

/**
 * Makes and inspects certificates. The library that makes them is loaded when one is due: once in some days, and
 * never on the way of an event that changes nothing.
 */
export const issuer: Issuer = {
  authority: async (request) => (await import('./issue.ts')).issueAuthority(request),
  leaf: async (request) => (await import('./issue.ts')).issueLeaf(request),
  inspect: (pair, authorityCertificate) => Promise.resolve(inspect(pair, authorityCertificate)),
};
