import type { BuiltEvent } from '../../../../test/build/event.ts';
import { event, structured } from '../../../../test/build/event.ts';
import type { ErrorCode } from '../../domain/errors.ts';

/** A bad event as a sentence, the request, and the one code it must be refused with. */
export type HostileRow = readonly [name: string, request: BuiltEvent, code: ErrorCode];

export const withData = (data: unknown): BuiltEvent => event({ data });
export const withAttributes = (attributes: Record<string, string | undefined>): BuiltEvent => event({ attributes });
export const withType = (contentType: string | undefined): BuiltEvent =>
  event({ headers: { 'content-type': contentType } });
export const inEnvelope = (envelope: Record<string, unknown>): BuiltEvent => structured(event(), envelope);
export const asStructured = (body: string | Buffer): BuiltEvent => ({
  headers: { 'content-type': 'application/cloudevents+json' },
  body: Buffer.from(body as string),
});
export const json = (value: unknown): string => JSON.stringify(value);
export const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
export const keys = (count: number): string =>
  `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join(',')}}`;
export const message = { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata: { name: 'hello', namespace: 'shop' } };
export const meta = (metadata: unknown): BuiltEvent => withData({ ...message, metadata });
export const allowed = { name: 'hello', namespace: 'shop' };
export const reference = 'dev.knative.apiserver.ref.update';
/** No data that could contradict what the extensions say: they alone are judged. */
export const byReference = (attributes: Record<string, string | undefined>): BuiltEvent =>
  event({ attributes: { type: reference, ...attributes } });
