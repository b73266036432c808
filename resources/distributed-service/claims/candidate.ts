import type { Backend } from '../envoy/data-plane.ts';

/** The result for one object that discovery has found: a backend, or why it cannot be one; undefined while it starts or ends. */
export type Candidate = Backend | string | undefined;
