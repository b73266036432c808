import { createHash } from 'node:crypto';
import type { KubeObject } from '../domain/kube-object.ts';
import type { Notice } from '../domain/plan.ts';

/** An Event of `events.k8s.io/v1`, as it is posted. */
export interface EventObject extends KubeObject {
  readonly eventTime: string;
  readonly type: Notice['type'];
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly reportingController: string;
  readonly reportingInstance: string;
  readonly regarding: Readonly<Record<string, string>>;
}

/** The reporter and the time (RFC 3339 with milliseconds). */
export interface EventStamp {
  readonly now: string;
  readonly instance: string;
}

/** Limits of the API server's validation: 1024 bytes of note, 128 of reason, 253 characters of name. */
const longest = { noteBytes: 1024, reason: 128, name: 253 } as const;

/** Where Events about cluster-scoped objects live (validation of `events.k8s.io/v1`). */
const namespaceOfClusterScoped = 'default';

/**
 * The Event for a notice. Its name follows from the object's uid and version and from the text, so that the same notice twice
 * is one Event.
 */
export function eventFor(about: KubeObject, notice: Notice, stamp: EventStamp): EventObject {
  const { name, namespace = '', uid = '', resourceVersion = '' } = about.metadata;
  const note = cutToBytes(notice.note, longest.noteBytes);
  const said = JSON.stringify([uid, resourceVersion, notice.type, notice.reason, note]);
  const suffix = `.${createHash('sha256').update(said).digest('hex').slice(0, 16)}`;
  const eventNamespace = namespace === '' ? namespaceOfClusterScoped : namespace;
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: `${cutName(name, longest.name - suffix.length)}${suffix}`, namespace: eventNamespace },
    eventTime: stamp.now.replace(
      /(\.\d{3})?Z$/,
      (_, milliseconds: string | undefined) => `${milliseconds ?? '.000'}000Z`,
    ),
    type: notice.type,
    reason: notice.reason.slice(0, longest.reason),
    action: 'Reconcile',
    note,
    reportingController: 'knudge.dev/controller',
    reportingInstance: stamp.instance.slice(0, longest.reason),
    regarding: { apiVersion: about.apiVersion, kind: about.kind, namespace, name, uid, resourceVersion },
  };
}

function cutToBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  // A character that is cut in two decodes as U+FFFD at the end.
  return encoded
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD$/, '');
}

function cutName(name: string, length: number): string {
  return name.slice(0, length).replace(/[-.]+$/, '');
}
