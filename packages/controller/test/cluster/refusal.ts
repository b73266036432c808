import type { ErrorCode } from '../../domain/errors.ts';

/** An answer of kube-apiserver 1.35.4, as it answered it, and what it means. */
export interface Refusal {
  readonly name: string;
  readonly status: number;
  readonly body: unknown;
  /** Absent where the API server never answers so. */
  readonly read?: ErrorCode;
  readonly write?: ErrorCode;
}

/** A Status that says which fields or why. */
export function withCauses(status: Readonly<Record<string, unknown>>, causes: readonly unknown[]): unknown {
  return { ...status, details: { name: 'x', kind: 'configmaps', causes } };
}
