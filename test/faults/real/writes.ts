import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { TracedCall, TracedChange } from '../../../packages/controller/testing/trace.ts';
import type { SeenChange } from './namespace-log.ts';

type By = TracedChange['by'];

/** Who wrote what, to say whose a change is and which changes the watches still owe. */
export interface Writes {
  byUser(object: KubeObject, how: 'write' | 'delete', at: number): void;
  byRun(call: DoneCall, served: number): void;
  /** Whose a change is, and when: asked once for each, in their order, after all calls have ended. */
  claim(change: SeenChange): { readonly by: By; readonly at: number };
  /** Whether Knudge added or changed that: such an event would bring it nothing new. */
  isOwn(change: SeenChange): boolean;
  /** How many writes are known. */
  count(): number;
  /** The writes that no watch has reported yet. */
  owed(seen: readonly SeenChange[]): readonly string[];
}

interface Writer {
  readonly by: By;
  readonly at: number;
  readonly what: string;
  /** Whether the object is gone with it. */
  readonly isLast: boolean;
}

/** `follows` says which objects the watches report. */
export function createWrites(follows: (object: Pick<KubeObject, 'kind' | 'metadata'>) => boolean): Writes {
  const versions = new Map<string, Writer>();
  const deletions = new Map<string, Writer[]>();
  let count = 0;
  const note = (object: KubeObject, how: 'write' | 'delete', by: Omit<Writer, 'isLast'>): void => {
    if (!follows(object)) return;
    count += 1;
    const uid = object.metadata.uid ?? '';
    const writer = { ...by, isLast: how === 'write' && isLetGo(object) };
    if (how === 'delete' || writer.isLast) deletions.set(uid, [...(deletions.get(uid) ?? []), writer]);
    else if (!versions.has(versionOf(object))) versions.set(versionOf(object), writer);
  };
  const writerOf = (change: SeenChange): Writer | undefined => {
    const written = versions.get(versionOf(change.object));
    if (written !== undefined) return written;
    const isLeaving = change.type === 'DELETED' || begins(change);
    return isLeaving ? deletions.get(change.object.metadata.uid ?? '')?.[0] : undefined;
  };
  return {
    byUser: (object, how, at) => note(object, how, { by: { who: 'user' }, at, what: `${how} by the user` }),
    byRun: (call, served) => {
      const written = writtenBy(call);
      if (written === undefined) return;
      const { object, how } = written;
      const by = { who: 'run', run: call.run, call: call.at } as const;
      note(object, how, { by, at: served + 0.5, what: `${call.verb} of ${call.resource} ${call.ref.name}` });
    },
    claim: (change) => {
      const writer = writerOf(change);
      const uid = change.object.metadata.uid ?? '';
      if (writer !== undefined && deletions.get(uid)?.[0] === writer) deletions.get(uid)?.shift();
      return writer ?? { by: { who: 'cluster' }, at: change.seen };
    },
    isOwn: (change) => change.type !== 'DELETED' && writerOf(change)?.by.who === 'run',
    count: () => count,
    owed: (seen) => {
      const told = new Set(seen.map(({ object }) => versionOf(object)));
      const uidsOf = (changes: readonly SeenChange[]) => new Set(changes.map(({ object }) => object.metadata.uid));
      const gone = uidsOf(seen.filter(({ type }) => type === 'DELETED'));
      const leaving = uidsOf(seen.filter(begins));
      const isTold = (uid: string, { isLast }: Writer): boolean => gone.has(uid) || (!isLast && leaving.has(uid));
      return [
        ...[...versions].filter(([version]) => !told.has(version)).map(([, { what }]) => what),
        ...[...deletions].flatMap(([uid, writers]) =>
          writers.filter((writer) => !isTold(uid, writer)).map(({ what }) => what),
        ),
      ];
    },
  };
}

function versionOf({ metadata }: KubeObject): string {
  return `${metadata.uid ?? ''} ${metadata.resourceVersion ?? ''}`;
}

/** Whether the last finalizer has left with this write: the API server answers with the version before. */
function isLetGo({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0;
}

/** Whether this change is the beginning of a deletion that takes time. */
function begins({ object, before }: SeenChange): boolean {
  return object.metadata.deletionTimestamp !== undefined && before?.metadata.deletionTimestamp === undefined;
}

/** A call whose answer may not have arrived. */
type DoneCall = Omit<TracedCall, 'seen'>;

/** What a call has changed, as far as its answer shows; undefined where it changed nothing. */
function writtenBy({
  verb,
  resource,
  ref,
  body,
  done,
}: DoneCall): { object: KubeObject; how: 'write' | 'delete' } | undefined {
  if (verb === 'get' || verb === 'list' || done.status < 200 || done.status >= 300) return undefined;
  const answer = done.body as (KubeObject & { readonly details?: { readonly uid?: string } }) | undefined;
  if (verb === 'delete') {
    const uid = answer?.metadata?.uid ?? answer?.details?.uid ?? '';
    return { object: { ...ref, metadata: { name: ref.name, namespace: ref.namespace, uid } }, how: 'delete' };
  }
  // A Scale shows the version of what it scales.
  if (answer === undefined || (answer.kind !== ref.kind && !resource.endsWith('/scale'))) return undefined;
  const { resourceVersion = '' } = answer.metadata;
  if (JSON.stringify(body ?? '').includes(`"${resourceVersion}"`)) return undefined;
  return { object: { ...answer, kind: ref.kind }, how: 'write' };
}
