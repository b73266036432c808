/** The longest wait that is passed on, in seconds: more is a mistake of the sender. */
const longest = 3600;

/**
 * Seconds to wait by a `Retry-After` header: a number of seconds or an HTTP date (RFC 9110, 10.2.3), at least 0 and at
 * most an hour. Undefined where it is absent or garbage. `now` in milliseconds.
 */
export function secondsOf(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  const text = retryAfter.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text), longest);
  // Date.parse takes far more than HTTP dates, even a lone number: insist on the day name that they begin with.
  const time = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) return undefined;
  return Math.min(Math.max(Math.ceil((time - now) / 1000), 0), longest);
}
