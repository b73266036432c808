import { KnudgeError } from '../domain/errors.ts';
import { controllerOf, describe, type KubeObject, refOf } from '../domain/kube-object.ts';
import { labels, manager } from '../domain/names.ts';
import type { Notice } from '../domain/plan.ts';
import type { EventContext } from '../domain/ports.ts';
import type { Kind } from './cursor.ts';

/** A kind of children of which the resync looks for orphans. It sends no events about its objects: it sends those about their parents. */
export interface ChildKind extends Kind {
  readonly labelSelector: string;
}

/** A kind of children, and the resources that have such. */
export interface Children extends Kind {
  readonly parents: readonly Kind[];
}

/** Objects of these kinds run nothing. The Deployment or Pod of the same parent that uses them is left over with them, and is found in their place. */
const atRest: ReadonlySet<string> = new Set(['v1/ConfigMap', 'v1/Secret']);

/**
 * Where orphans are looked for: of each resource's children those that do something, such as a Deployment, a Service or a Pod.
 * A resource that has no such children is looked for by what it has; Secrets are never listed.
 */
export function orphanKinds(children: readonly Children[], controller = manager): readonly ChildKind[] {
  const parents = new Set(children.flatMap((one) => one.parents));
  const looked = [...parents].flatMap((parent) => {
    const own = children.filter((one) => one.parents.includes(parent));
    const active = own.filter((one) => !atRest.has(nameOf(one)));
    return active.length > 0 ? active : own.filter((one) => nameOf(one) !== 'v1/Secret');
  });
  return [...new Set(looked)].map(({ apiVersion, kind }) => ({
    apiVersion,
    kind,
    labelSelector: selectorOf(kind, controller),
  }));
}

function nameOf({ apiVersion, kind }: Kind): string {
  return `${apiVersion}/${kind}`;
}

/** The Pods of a Deployment belong to its ReplicaSet, which has given them this label. */
function selectorOf(kind: string, controller: string): string {
  const owned = `${labels.managedBy}=${controller},${labels.ownerUid}`;
  return kind === 'Pod' ? `${owned},!pod-template-hash` : owned;
}

export interface OrphansWith extends Pick<EventContext, 'pager' | 'log' | 'tell'> {
  readonly parentKinds: readonly Kind[];
}

/**
 * Reports those among these children whose parent is gone and which no owner reference gives to the garbage collector.
 * They stay: somebody has set them free, or has copied them. Parents are read after the children (R1): one that is not
 * there then was gone, for uids do not come again.
 */
export async function tellOrphans(children: readonly KubeObject[], parts: OrphansWith): Promise<void> {
  const living = new Map<string, ReadonlySet<string>>();
  const orphans: KubeObject[] = [];
  for (const child of children.filter(isFree)) {
    const { namespace = '', labels: own = {} } = child.metadata;
    const uids = living.get(namespace) ?? (await parentsIn(namespace, parts));
    living.set(namespace, uids);
    if (!uids.has(own[labels.ownerUid] ?? '')) orphans.push(child);
  }
  for (const orphan of orphans.slice(0, mostTold)) {
    const { kind, namespace, name } = refOf(orphan);
    parts.log.warn({ kind, namespace, name }, 'resync: an orphan');
    await parts.tell(orphan, noticeOf(orphan));
  }
  const more = orphans.length - mostTold;
  if (more > 0) parts.log.warn({ more }, 'resync: more orphans');
}

/** Of one page: each is a request, and the round has others to ask after. The rest is counted. */
const mostTold = 20;

function isFree(child: KubeObject): boolean {
  return controllerOf(child) === undefined && child.metadata.deletionTimestamp === undefined;
}

/** Metadata of this many parents in one answer. */
const pageSize = 250;

async function parentsIn(namespace: string, { parentKinds, pager }: OrphansWith): Promise<ReadonlySet<string>> {
  const uids = new Set<string>();
  for (const { apiVersion, kind } of parentKinds) {
    let token: string | undefined = '';
    while (token !== undefined) {
      const query = { apiVersion, kind, namespace, labelSelector: '' };
      const page: PageOfParents = await pager
        .page(query, { token, limit: pageSize, metadataOnly: true })
        .catch(noneIfNotServed);
      for (const { metadata } of page.objects) uids.add(metadata.uid ?? '');
      token = page.next === '' ? undefined : page.next;
    }
  }
  return uids;
}

interface PageOfParents {
  readonly objects: readonly KubeObject[];
  readonly next: string;
}

/** Where its definition is gone so are its objects. */
function noneIfNotServed(error: unknown): PageOfParents {
  if (error instanceof KnudgeError && error.code === 'kind-not-served') return { objects: [], next: '' };
  throw error;
}

function noticeOf(child: KubeObject): Notice {
  const { kind, namespace, name } = refOf(child);
  const remove = `kubectl --namespace ${namespace} delete ${kind.toLowerCase()} ${name}`;
  const what = `What ${describe(refOf(child))} was made for is gone, and nothing removes it`;
  return { type: 'Warning', reason: 'Orphaned', note: `${what}. If nobody needs it: ${remove}` };
}
