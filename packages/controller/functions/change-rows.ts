import type { Resource } from '../decide/resource.ts';
import type { Change } from '../domain/change.ts';
import { groupOf, type ObjectRef } from '../domain/kube-object.ts';
import { labels } from '../domain/names.ts';
import type { Handler, Reader } from '../domain/ports.ts';
import { ownersByName } from '../parents/by-name.ts';
import { ownerOf } from '../parents/owner.ts';
import { subjectOf } from '../parents/subject.ts';
import { thatAreThere } from '../parents/there.ts';
import { childKindsOf, childrenOf } from './child-kinds.ts';
import { itselfChanged } from './itself-changed.ts';
import { kebabOf } from './kebab.ts';
import { reconcileAll } from './reconcile-all.ts';
import type { ChangeRow } from './rows.ts';

/** A kind whose changes wake a function of a controller. */
export interface Waking {
  readonly stem: string;
  /** As `group/Kind`. */
  readonly kind: string;
  readonly isResource: boolean;
  /** The resources that have children of this kind. */
  readonly parents: readonly Resource[];
}

/** Each kind of resources and of children once, also one that is both. Of two kinds of one name the stem of the second begins with its group. */
export function wakingOf(resources: readonly Resource[]): readonly Waking[] {
  const waking = new Map<string, Waking>();
  for (const one of [...resources, ...childKindsOf(resources)]) {
    const kind = rowKind(one);
    const stem = `${kebabOf(one.kind)}-changed`;
    const isTaken = [...waking.values()].some((other) => other.stem === stem && other.kind !== kind);
    waking.set(kind, {
      stem: isTaken ? `${(groupOf(one.apiVersion) || 'core').replaceAll('.', '-')}-${stem}` : stem,
      kind,
      isResource: resources.some((resource) => rowKind(resource) === kind),
      parents: resources.filter((resource) => childrenOf(resource).some((child) => rowKind(child) === kind)),
    });
  }
  return [...waking.values()];
}

/**
 * The function of a kind. Of children it takes those with the label that the engine gives every child. The name of the controller is not
 * asked for: a child on which somebody changes it while no source watches would never be seen. Of a Secret the source reads only metadata.
 */
export function changeRowOf(waking: Waking): ChangeRow {
  const { kind, isResource, parents } = waking;
  const row = { wakes: 'change', handle: handleOf(waking), kind, labels: [isResource ? '' : labels.ownerUid] } as const;
  if (parents.length === 0) return { ...row, looksAt: 'of others' };
  return kind === '/Secret' ? { ...row, mode: 'Reference', looksAt: [] } : { ...row, looksAt: 'all' };
}

/** `group/Kind`, as rows of the table have it. */
export function rowKind({ apiVersion, kind }: Pick<ObjectRef, 'apiVersion' | 'kind'>): string {
  return `${groupOf(apiVersion)}/${kind}`;
}

function handleOf({ isResource, parents }: Waking): Handler {
  if (parents.length === 0) return itselfChanged;
  return async (change, context) => {
    const itself = isResource ? [change.ref] : [];
    // The resync asks after owners by events of their own.
    const isAlone = isResource && change.byResync === true;
    const owners = isAlone ? [] : await ownersOf(change, parents, context.reader);
    return reconcileAll([...itself, ...owners], context);
  };
}

/** The owner of an object; of one that is gone, of which the event has the name alone, those that would have a child of that name. */
async function ownersOf(change: Change, parents: readonly Resource[], reader: Reader): Promise<readonly ObjectRef[]> {
  const subject = await subjectOf(change, reader);
  if (subject === undefined)
    return thatAreThere(
      parents.flatMap((parent) => ownersByName(parent, change.ref)),
      reader,
    );
  return parents.flatMap((parent) => ownerOf(subject, parent));
}
