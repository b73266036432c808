import type { Backend } from '../envoy/data-plane.ts';

/** A candidate is a backend, or there is a reason why not; neither while it is still starting. */
export type Candidate = Backend | string | undefined;
