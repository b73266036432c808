import type { Transport } from '../../packages/controller/cluster/call.ts';
import { type Looked, pathOf, unlessAbsent } from '../../packages/controller/cluster/look.ts';
import { asKnudgeError, KnudgeError } from '../../packages/controller/domain/errors.ts';
import { knownKind } from '../../packages/controller/domain/known-kinds.ts';
import { describe, type KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { labels } from '../../packages/controller/domain/names.ts';
import { guessedPlural } from '../../packages/controller/domain/plural.ts';
import type { Named } from '../../packages/event-log/api/history.ts';
import type { MeshSpec } from '../../packages/mesh/mesh-spec.ts';
import { parentKinds } from '../../packages/mesh/parent-kinds.ts';

/** An object as `kubectl get` shows it. */
export interface Row extends Named {
  /** The columns that `kubectl get` prints, without name and age: `Ready` is `1/1`. */
  readonly shown: Readonly<Record<string, string>>;
  /** Somebody has deleted it, and something holds it. */
  readonly leaving?: true;
}

/** An object and what it owns, as the cluster has them. */
export interface ObjectNow {
  /** Absent where there is no such object. `status` is that of a custom resource of the controller. */
  readonly object?: Row & { readonly status?: object };
  readonly children: readonly Row[];
  /** Kinds that could not be read, such as those that the person may not list. */
  readonly unread: readonly { readonly kind: string; readonly why: string }[];
}

interface NowWith {
  readonly transport: Transport;
  readonly manifests: Pick<MeshSpec, 'objects' | 'sources'>;
}

/**
 * Reads an object of a kind that a source watches, and of a custom resource of the controller all of these kinds that carry its uid as
 * their owner's: its children, and the Pods that they make. Throws `invalid-request` for another kind.
 */
export async function objectNow(object: Named, { transport, manifests }: NowWith): Promise<ObjectNow> {
  const kinds = watchedBy(manifests);
  const what = kinds.find(({ kind }) => kind === object.kind);
  if (what === undefined) {
    const all = kinds.map(({ kind }) => kind).join(', ');
    throw new KnudgeError('invalid-request', `No source watches a kind ${object.kind}: ${all}`);
  }
  const isParent = parentKinds(manifests.objects).includes(object.kind);
  const [found] = await tableOf(transport, what, { ...object, include: isParent ? 'Object' : 'Metadata' });
  if (found === undefined) return { children: [], unread: [] };
  const { status } = found.object as { readonly status?: object };
  const own = { ...rowOf(what, found), ...(status !== undefined && { status }) };
  const { uid } = found.object.metadata;
  if (!isParent || uid === undefined) return { object: own, children: [], unread: [] };
  const labelSelector = `${labels.ownerUid}=${uid}`;
  const lists = await Promise.allSettled(
    kinds.map((kind) => tableOf(transport, kind, { namespace: object.namespace, labelSelector })),
  );
  return {
    object: own,
    children: lists.flatMap((list, index) =>
      list.status === 'fulfilled' ? list.value.map((row) => rowOf(kinds[index] as Looked, row)) : [],
    ),
    unread: lists.flatMap((list, index) =>
      list.status === 'rejected' ? [{ kind: kinds[index]?.kind ?? '', why: asKnudgeError(list.reason).message }] : [],
    ),
  };
}

/** The kinds of the sources, each once, in the order of their names. */
function watchedBy({ sources }: Pick<MeshSpec, 'sources'>): readonly Looked[] {
  const all = sources.flatMap(({ resources }) => resources);
  const byKind = new Map(
    all.map(({ apiVersion, kind }): [string, Looked] => {
      const plural = knownKind({ apiVersion, kind })?.plural ?? guessedPlural(kind);
      return [kind, { apiVersion, kind, plural }];
    }),
  );
  return [...byKind.values()].sort((one, other) => (one.kind < other.kind ? -1 : 1));
}

interface Column {
  readonly name: string;
  readonly priority?: number;
}

interface TableRow {
  readonly cells: ReadonlyMap<string, unknown>;
  readonly object: KubeObject;
}

interface Where {
  readonly namespace: string;
  /** Absent for a list. */
  readonly name?: string;
  readonly labelSelector?: string;
  readonly include?: 'Object' | 'Metadata';
}

/** The longest list of children of one kind; a service has a few. */
const mostRows = 100;

/** What the API server prints for `kubectl get`; nothing where there is no such object or kind. */
async function tableOf(transport: Transport, what: Looked, where: Where): Promise<readonly TableRow[]> {
  const { namespace, name, labelSelector, include } = where;
  const list = pathOf(what, namespace);
  const asked = transport({
    method: 'GET',
    verb: name === undefined ? 'list' : 'get',
    resource: what.plural,
    target: name === undefined ? what.kind : describe({ ...what, namespace, name }),
    path: name === undefined ? list : `${list}/${encodeURIComponent(name)}`,
    accept: 'application/json;as=Table;g=meta.k8s.io;v=v1',
    query: {
      ...(labelSelector !== undefined && { labelSelector, limit: String(mostRows) }),
      ...(include !== undefined && { includeObject: include }),
    },
  });
  const { columnDefinitions = [], rows = [] } = ((await unlessAbsent(asked)) ?? {}) as {
    readonly columnDefinitions?: readonly Column[];
    readonly rows?: readonly { readonly cells: readonly unknown[]; readonly object: KubeObject }[];
  };
  // Columns with a priority are those of `kubectl get -o wide`.
  return rows.map(({ cells, object }) => ({
    cells: new Map(
      columnDefinitions.flatMap(({ name: head, priority = 0 }, index) =>
        priority === 0 ? [[head, cells[index]]] : [],
      ),
    ),
    object,
  }));
}

/** Columns that say what the page says itself, or what would change each second. */
const leftOut: ReadonlySet<string> = new Set(['Name', 'Age']);

function rowOf({ kind }: Looked, { cells, object: { metadata } }: TableRow): Row {
  const shown = [...cells].filter(([head, value]) => !leftOut.has(head) && value !== null && value !== '');
  return {
    kind,
    namespace: metadata.namespace ?? '',
    name: metadata.name,
    shown: Object.fromEntries(shown.map(([head, value]) => [head, String(value)])),
    ...(metadata.deletionTimestamp !== undefined && { leaving: true as const }),
  };
}
