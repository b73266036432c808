import type { RecordedEvent } from '../../controller/domain/event-log.ts';
import { textsIn, writingsIn } from '../../controller/domain/from-outside.ts';
import { lastWriter } from '../../controller/domain/last-writer.ts';
import type { Writing } from '../../controller/domain/last-written.ts';
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
      managedFields: writingsIn(managedFields),
    },
    spec: found['spec'],
    status: found['status'],
  };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? { ...value } : undefined;
}

/** A version beside the one before it. */
export interface Compared {
  /** What differs, in spec and status, in labels and finalizers; all of it where no version before it is known. */
  readonly changes: ReturnType<typeof changesBetween>;
  /** The version before it is known, and is of the same object and not of another one of its name. */
  readonly isNext: boolean;
  /** By the managedFields, where the log keeps them; absent where nobody can know who it was. */
  readonly by?: Writer;
}

/** Compares a version with the one before it, if that is known. */
export function comparedWith(former: KeptObject | undefined, object: KeptObject): Compared {
  const { uid, managedFields } = object.metadata;
  const isNext = former !== undefined && former.metadata.uid === uid;
  const changes = changesBetween(isNext ? partsOf(former) : {}, partsOf(object));
  const changed = changes.map(({ field }) => field);
  const last = lastWriter(managedFields, isNext ? { before: former.metadata.managedFields, changed } : {});
  if (last?.manager === undefined) return { changes, isNext };
  return { changes, isNext, by: { manager: last.manager, ...(last.time !== undefined && { at: last.time }) } };
}

function partsOf({ metadata: { labels, finalizers, deletionTimestamp }, spec, status }: KeptObject): object {
  return JSON.parse(JSON.stringify({ spec, status, metadata: { labels, finalizers, deletionTimestamp } })) as object;
}
