/** A `metav1.Status`, as far as Knudge uses it. Absent texts are empty. */
export interface ApiStatus {
  readonly reason: string;
  readonly message: string;
  readonly causes: readonly { readonly reason: string; readonly field: string }[];
  readonly retryAfterSeconds?: number;
}

/** The Status in an answer; undefined if the answer is not a Status. */
export function toApiStatus(body: unknown): ApiStatus | undefined {
  const { kind, reason, message, details } = fieldsOf(body);
  if (kind !== 'Status') return undefined;
  const { causes, retryAfterSeconds } = fieldsOf(details);
  return {
    reason: textOf(reason),
    message: textOf(message),
    causes: (Array.isArray(causes) ? causes : []).map((cause: unknown) => {
      const { reason: why, field } = fieldsOf(cause);
      return { reason: textOf(why), field: textOf(field) };
    }),
    ...(typeof retryAfterSeconds === 'number' && retryAfterSeconds > 0 && { retryAfterSeconds }),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
