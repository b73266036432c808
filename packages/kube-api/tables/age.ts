import type { Json } from '../json.ts';

/** How long ago a moment in RFC 3339 was, as kubectl says it: `45s`, `3m20s`, `5h`, `12d`. */
export function ageOf(moment: Json | undefined, now: number): string {
  if (typeof moment !== 'string' || moment === '') return '<unknown>';
  const then = Date.parse(moment);
  return Number.isNaN(then) ? '<invalid>' : durationOf((now - then) / 1000);
}

/** Seconds in the fewest units that say enough; k8s.io/apimachinery/pkg/util/duration has the same steps. */
export function durationOf(exact: number): string {
  const seconds = Math.trunc(exact);
  if (seconds < -1) return '<invalid>';
  if (seconds < 120) return `${Math.max(seconds, 0)}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return both(minutes, 'm', { rest: seconds % 60, unit: 's' });
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return both(hours, 'h', { rest: minutes % 60, unit: 'm' });
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return both(days, 'd', { rest: hours % 24, unit: 'h' });
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? both(years, 'y', { rest: days % 365, unit: 'd' }) : `${years}y`;
}

function both(count: number, unit: string, small: { rest: number; unit: string }): string {
  return small.rest === 0 ? `${count}${unit}` : `${count}${unit}${small.rest}${small.unit}`;
}
