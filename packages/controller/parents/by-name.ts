import { groupOf, type ObjectRef } from '../domain/kube-object.ts';

/** What a resource calls its children, by the name of the owner. */
interface Naming extends Pick<ObjectRef, 'apiVersion' | 'kind'> {
  readonly children: (owner: ObjectRef) => ReadonlyMap<string, ObjectRef>;
}

/** Stands for the name of an owner, to see where in the name of its child it is. */
const mark = 'x0x';

/**
 * The parents of this resource that would have a child of this name: for one that is gone, whose owner references nobody can read any
 * more. A name that was shortened shows its owner only where it holds the whole name of it.
 */
export function ownersByName({ apiVersion, kind, children }: Naming, child: ObjectRef): readonly ObjectRef[] {
  const ownerOf = (name: string): ObjectRef => ({ apiVersion, kind, namespace: child.namespace, name });
  const namesFor = (owner: ObjectRef): readonly string[] =>
    [...children(owner).values()]
      .filter((one) => one.kind === child.kind && groupOf(one.apiVersion) === groupOf(child.apiVersion))
      .map(({ name }) => name);
  const names = namesFor(ownerOf(mark)).flatMap((name) => {
    const before = name.indexOf(mark);
    if (before < 0 || !child.name.startsWith(name.slice(0, before))) return [];
    const rest = child.name.slice(before);
    return Array.from(rest, (_, last) => rest.slice(0, last + 1));
  });
  return [...new Set(names)].map(ownerOf).filter((owner) => namesFor(owner).includes(child.name));
}
