import { type LiveEndpoints, upstreamCluster } from '../envoy/data-plane.ts';

/**
 * Reads Envoy's statistics, a line each: `cluster.upstream.version_text: "…"`, `cluster.upstream.membership_total: 3`.
 * Undefined if one is missing, stands there twice or has another form. The version is that which Knudge wrote, hexadecimal digits, or
 * empty (measured on Envoy 1.40).
 */
export function parseLiveEndpoints(text: string): LiveEndpoints | undefined {
  const [version, total, healthy, failed, rejected] = [
    statisticOf(text, 'version_text', /^"([0-9a-f]{0,64})"$/),
    countOf(text, 'membership_total'),
    countOf(text, 'membership_healthy'),
    countOf(text, 'update_failure'),
    countOf(text, 'update_rejected'),
  ];
  if (version === undefined || total === undefined || healthy === undefined) return undefined;
  if (failed === undefined || rejected === undefined) return undefined;
  return { version, total, healthy, refused: failed + rejected };
}

function countOf(text: string, name: string): number | undefined {
  const digits = statisticOf(text, name, /^(\d{1,15})$/);
  return digits === undefined ? undefined : Number(digits);
}

function statisticOf(text: string, name: string, form: RegExp): string | undefined {
  const beginning = `cluster.${upstreamCluster}.${name}: `;
  const [line, ...more] = text.split('\n').filter((one) => one.startsWith(beginning));
  if (line === undefined || more.length > 0) return undefined;
  return form.exec(line.slice(beginning.length))?.[1];
}
