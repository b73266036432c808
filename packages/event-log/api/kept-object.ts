import type { RecordedEvent } from '../../controller/domain/event-log.ts';
import type { ManagedFieldsEntry } from '../../controller/domain/kube-object.ts';
import { changesBetween } from '../replay/differences.ts';

/** An object as an event in the log shows it. */
export interface KeptObject {
  readonly metadata: {
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly managedFields?: readonly ManagedFieldsEntry[];
    readonly labels?: unknown;
    readonly finalizers?: unknown;
    readonly deletionTimestamp?: unknown;
  };
  readonly spec?: unknown;
  readonly status?: unknown;
}

/** Who wrote an object last. */
export interface Writer {
  readonly manager: string;
  readonly at?: string;
}

/** The object that an event carries; undefined where it carries none. */
export function objectIn({ data }: RecordedEvent): KeptObject | undefined {
  const object = data as Partial<KeptObject> | null | undefined;
  return typeof object?.metadata === 'object' && object.metadata !== null ? (object as KeptObject) : undefined;
}

/** By the managedFields, where the log keeps them. Times have whole seconds, and of several entries the last in the list counts. */
export function writerOf({ metadata: { managedFields = [] } }: KeptObject): Writer | undefined {
  const [newest] = managedFields
    .toReversed()
    .toSorted((one, other) => ((one.time ?? '') < (other.time ?? '') ? 1 : -1));
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
