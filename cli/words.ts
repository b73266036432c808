import { describe } from '../packages/controller/domain/kube-object.ts';

/** `1 event`, `1,234 events`. */
export function countOf(count: number, what: string): string {
  return `${count.toLocaleString('en-US')} ${what}${count === 1 ? '' : 's'}`;
}

/** The time of an event in UTC, with milliseconds. */
export function timeOf(time: string): string {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? time : new Date(ms).toISOString();
}

/** `Pod shop/web-1`; a dash for an event that is about no object. */
export function objectOf({
  kind = '',
  namespace = '',
  name = '',
}: {
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
}): string {
  return kind === '' && name === '' ? '-' : describe({ apiVersion: '', kind, namespace, name });
}
