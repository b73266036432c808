import { Cron } from 'croner';

/** When a PingSource ticks. */
export interface Schedule {
  readonly pattern: string;
  readonly timezone: string;
}

/** A fault, and in which of the two fields it is. */
export type ScheduleFault = { readonly field: 'schedule' | 'timezone'; readonly why: string };

/** robfig/cron's descriptors; croner reads `@yearly` and the like by itself, and the webhook refuses `@every`. */
const descriptor = /^@(yearly|annually|monthly|weekly|daily|midnight|hourly)$/;
/** The characters of a field in robfig/cron: no `L`, `W` or `#`, which croner would accept. */
const field = /^[\d*?/,a-z-]+$/i;
/** A 7 for Sunday, which robfig/cron does not know: there it is 0. */
const sevenDay = /(^|[,-])7($|[,/-])/;
const days = /^(sun|mon|tue|wed|thu|fri|sat)$/i;
const months = /^(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)$/i;

/**
 * Reads what robfig/cron reads with optional seconds: five or six fields or a descriptor, after `CRON_TZ=` or `TZ=` in
 * `schedule` itself or with a time zone beside it. UTC without one, as in a Pod.
 */
export function readSchedule(schedule: string, timezone = ''): Schedule | ScheduleFault {
  if (schedule.includes('@every')) return { field: 'schedule', why: 'unsupported descriptor @every' };
  const written = /^(?:CRON_)?TZ=(\S+)\s+(.*)$/.exec(schedule.trim());
  const [zone, pattern] = [written?.[1] ?? timezone, (written?.[2] ?? schedule).trim()];
  if (zone !== '' && !isZone(zone)) {
    return { field: written === null ? 'timezone' : 'schedule', why: `unknown time zone ${zone}` };
  }
  const why = patternFault(pattern);
  // For croner `?` is the moment of the start, for robfig/cron it is `*`.
  return why === undefined
    ? { pattern: pattern.replaceAll('?', '*'), timezone: zone || 'UTC' }
    : { field: 'schedule', why };
}

function patternFault(pattern: string): string | undefined {
  if (pattern.startsWith('@')) return descriptor.test(pattern) ? undefined : `unrecognized descriptor ${pattern}`;
  const fields = pattern.split(/\s+/);
  if (fields.length < 5 || fields.length > 6)
    return `expected 5 to 6 fields, found ${pattern === '' ? 0 : fields.length}`;
  const odd = fields.find((one) => !field.test(one) || !hasKnownNames(one));
  if (odd !== undefined) return `failed to parse ${odd}`;
  if (sevenDay.test(fields.at(-1) ?? '')) return 'end of range (7) above maximum (6)';
  try {
    new Cron(pattern, { paused: true, mode: '5-or-6-parts', sloppyRanges: true }).stop();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^CronPattern: /, '') : 'failed to parse';
  }
}

function hasKnownNames(one: string): boolean {
  return (one.match(/[a-z]+/gi) ?? []).every((name) => days.test(name) || months.test(name));
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
