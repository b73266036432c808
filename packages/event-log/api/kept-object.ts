import type { RecordedEvent } from '../../controller/domain/event-log.ts';
import { lastWritten, type Writing } from '../../controller/domain/last-written.ts';
import { changesBetween } from '../replay/differences.ts';

/** An object as an event in the log shows it: a sender may write anything, so each field is absent that has another form. */
export interface KeptObject {
  readonly metadata: {
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly managedFields: readonly Writing[];
    readonly labels?: unknown;
    readonly finalizers?: unknown;
    readonly deletionTimestamp?: unknown;
  };
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** The program that wrote an object last, and when. */
export interface Writer {
  readonly manager: string;
  readonly at?: string;
}

/** The object that an event carries; undefined where it carries none. */
export function objectIn({ data }: Pick<RecordedEvent, 'data'>): KeptObject | undefined {
  const found = fieldsOf(data);
  const metadata = fieldsOf(found?.['metadata']);
  if (found === undefined || metadata === undefined) return undefined;
  const { managedFields, labels, finalizers, deletionTimestamp } = metadata;
  return {
    metadata: {
      ...textsIn(metadata, ['uid', 'resourceVersion']),
      labels,
      finalizers,
      deletionTimestamp,
      managedFields: (Array.isArray(managedFields) ? managedFields : []).map((one) =>
        textsIn(fieldsOf(one) ?? {}, ['manager', 'time', 'subresource']),
      ),
    },
    spec: found['spec'],
    status: found['status'],
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

function textsIn<Name extends string>(
  fields: Readonly<Record<string, unknown>>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const texts = names.filter((name) => typeof fields[name] === 'string').map((name) => [name, fields[name]]);
  return Object.fromEntries(texts) as Partial<Record<Name, string>>;
}

/**
 * By the managedFields, where the log keeps them, and by what differs from the version before it, where that is known. Of several in the same
 * second the last in the list.
 */
export function writerOf(
  { metadata: { managedFields } }: KeptObject,
  changes: readonly { readonly field: string }[] = [],
): Writer | undefined {
  const changed = changes.map(({ field }) => field);
  const newest = lastWritten(managedFields, changed).at(-1);
  if (newest?.manager === undefined) return undefined;
  return { manager: newest.manager, ...(newest.time !== undefined && { at: newest.time }) };
}

/** What differs from the version before it, in spec and status, in labels and finalizers. */
export function changesFrom(former: KeptObject | undefined, object: KeptObject): ReturnType<typeof changesBetween> {
  const { uid } = object.metadata;
  return changesBetween(partsOf(former, uid), partsOf(object, uid));
}

/** What is compared; another object of the same name begins anew. */
function partsOf(object: KeptObject | undefined, uid: string | undefined): object {
  if (object === undefined || object.metadata.uid !== uid) return {};
  const { labels, finalizers, deletionTimestamp } = object.metadata;
  const { spec, status } = object;
  return JSON.parse(JSON.stringify({ spec, status, metadata: { labels, finalizers, deletionTimestamp } })) as object;
}
