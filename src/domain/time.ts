/** Seconds since 1970 of an RFC 3339 time. */
export function secondsOf(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}

/** Seconds since 1970 as RFC 3339: whole seconds, UTC, as `metav1.Time` has them. */
export function timeOf(seconds: number): string {
  return `${new Date(Math.floor(seconds) * 1000).toISOString().slice(0, 19)}Z`;
}
