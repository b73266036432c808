import type { Resource } from '../../controller/decide/resource.ts';
import { howToAdd, knownKind } from '../../controller/domain/known-kinds.ts';
import { groupOf, type ObjectRef } from '../../controller/domain/kube-object.ts';
import type { ChangeRow } from '../../controller/functions/rows.ts';
import type { Project } from '../project.ts';

type Kind = Pick<ObjectRef, 'apiVersion' | 'kind'>;
type Controlled = Pick<Project, 'controller'>;

/** The row of a function that changes wake; undefined for any other. */
export function changeRow({ controller }: Controlled, stem: string): ChangeRow | undefined {
  const row = controller.functions[stem];
  return row?.wakes === 'change' ? row : undefined;
}

/** `group/Kind`, as rows of the table have it. */
export function rowKind({ apiVersion, kind }: Kind): string {
  return `${groupOf(apiVersion)}/${kind}`;
}

/** Where the API server has the objects of a kind. */
export function storedAs({ apiVersion, kind }: Kind): { readonly group: string; readonly plural: string } {
  const known = knownKind({ apiVersion, kind });
  if (known === undefined) throw new Error(`${apiVersion} ${kind} is not known: ${howToAdd(`${apiVersion}/${kind}`)}`);
  return { group: groupOf(apiVersion), plural: known.plural };
}

/** The function that the changes of a resource wake. */
export function stemOf(project: Controlled, resource: Resource): string {
  const stem = Object.keys(project.controller.functions).find(
    (one) => changeRow(project, one)?.kind === rowKind(resource),
  );
  if (stem === undefined) throw new Error(`no function of functions/table.ts is woken by a ${resource.kind}: add it`);
  return stem;
}
