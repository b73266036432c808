import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { DistributedServiceSpec } from '../../../resources/distributed-service/types.ts';
import type { Place } from '../scenario.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** One field of the spec of a DistributedService that a person changes. */
export interface FieldRow {
  /** As in the schema: `backends.endpoints[].host`; with `{}` for the values of a map. */
  readonly field: string;
  /** Where one field has more than one row: `removed`. */
  readonly how?: string;
  readonly from: Partial<DistributedServiceSpec>;
  /** A merge patch of the spec. */
  readonly to: Readonly<Record<string, Json>>;
  /** What else must be there. */
  readonly needs?: (place: Place) => readonly KubeObject[];
}

export const tcpCheck = {
  type: 'tcp',
  interval: '5s',
  timeout: '1s',
  failureThreshold: 3,
  successThreshold: 1,
} as const;
export const httpCheck = { ...tcpCheck, type: 'http' } as const;
