const units = { D: 86_400_000, H: 3_600_000, M: 60_000, S: 1000 } as const;

/** ISO 8601, as far as Knative's durations go: `PT0.2S`, `PT1M30S`, `P1DT2H`. */
const iso =
  /^P(?:(?<D>\d+(?:\.\d+)?)D)?(?:T(?:(?<H>\d+(?:\.\d+)?)H)?(?:(?<M>\d+(?:\.\d+)?)M)?(?:(?<S>\d+(?:\.\d+)?)S)?)?$/;

/** Milliseconds of an ISO 8601 duration of days and below; undefined for other texts. */
export function millisecondsOf(duration: string): number | undefined {
  const groups = iso.exec(duration)?.groups;
  if (groups === undefined || !/\d[DHMS]$/.test(duration)) return undefined;
  const parts = Object.entries(units).map(([unit, ms]) => Number(groups[unit] ?? 0) * ms);
  return Math.round(parts.reduce((sum, part) => sum + part, 0));
}

const goUnits: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** Seconds of a duration as Go writes it (`1m30s`); undefined for other texts. */
export function secondsOfGo(duration: string): number | undefined {
  if (!/^(\d+(\.\d+)?(h|ms|m|s))+$/.test(duration)) return undefined;
  const parts = [...duration.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)];
  return parts.reduce((sum, [, count = '', unit = '']) => sum + Number(count) * (goUnits[unit] ?? 0), 0);
}
