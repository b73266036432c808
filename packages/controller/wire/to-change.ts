import type { Change, Received } from '../domain/change.ts';
import { eventTypes, inputSource, replayExtension, requestedType, resyncSource } from '../domain/change.ts';
import { KnudgeError } from '../domain/errors.ts';
import type { ObjectRef } from '../domain/kube-object.ts';
import { toHint } from './to-hint.ts';

/** The types whose data is the whole object; the others name it only. */
const resourceMode = 'dev.knative.apiserver.resource.';

/**
 * What an event says has happened to which object; undefined for a type that is not one of ours. The object comes from
 * the extensions, never from the subject, whose plural is guessed. Throws `invalid-event` where an extension is
 * missing, cannot stand in a URL of the API server, or contradicts the data.
 */
export function toChange({ id, type, source, extensions, data }: Received): Change | undefined {
  const verb = Object.hasOwn(eventTypes, type) ? eventTypes[type] : undefined;
  if (verb === undefined) return undefined;
  const ref = refIn(extensions);
  if (type === requestedType && source === resyncSource) return { id, verb, ref, byResync: true };
  if (type === requestedType && source === inputSource) return { id, verb, ref, byInput: true };
  const isReplay = extensions.has(replayExtension) && { isReplay: true as const };
  if (!type.startsWith(resourceMode)) return { id, verb, ref, ...isReplay };
  return { id, verb, ref, hint: toHint(data, ref), ...isReplay };
}

function refIn(extensions: ReadonlyMap<string, string>): ObjectRef {
  const ref = {
    apiVersion: extensions.get('apiversion') ?? '',
    kind: extensions.get('kind') ?? '',
    namespace: extensions.get('namespace') ?? '',
    name: extensions.get('name') ?? '',
  };
  for (const part of ['apiVersion', 'kind', 'namespace', 'name'] as const) checkPart(part, ref[part]);
  return ref;
}

/**
 * What may stand in a path of the API server. A name is checked for that alone: Pods have DNS names, but a Role may
 * be called `system:node`, and the API server judges names better than a copy of its rules would.
 */
const forms = {
  apiVersion: /^(?:[a-z0-9][-a-z0-9]*(?:\.[a-z0-9][-a-z0-9]*)*\/)?[a-z0-9][-a-z0-9]{0,62}$/,
  kind: /^[A-Za-z][A-Za-z0-9]{0,62}$/,
  namespace: /^(?:[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?)?$/,
  name: /^(?!\.{1,2}$)[A-Za-z0-9._:@~-]{1,253}$/,
} as const;

/** A group of 253 characters, a slash and a version of 63. */
const longestPart = 317;

function checkPart(part: keyof typeof forms, value: string): void {
  if (value.length <= longestPart && forms[part].test(value)) return;
  const attribute = part.toLowerCase();
  const problem = value === '' ? 'is missing' : 'is nothing that an object of the API server can have';
  throw new KnudgeError('invalid-event', `the extension ${attribute} ${problem}`);
}
