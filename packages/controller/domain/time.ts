/** Seconds since 1970 of an RFC 3339 time. */
export function secondsOf(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}

/** Seconds since 1970 as RFC 3339: whole seconds, UTC, as `metav1.Time` has them. */
export function timeOf(seconds: number): string {
  return `${new Date(Math.floor(seconds) * 1000).toISOString().slice(0, 19)}Z`;
}

/** RFC 3339 as both CRDs take it: with a zone, and with no month, day, hour or minute that there is not. */
const rfc3339 =
  /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** Whether a value is a time: what was stored under another schema may be anything. */
export function isTime(value: unknown): value is string {
  return typeof value === 'string' && rfc3339.test(value);
}
