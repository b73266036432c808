import type { Project } from '../project.ts';
import { changeRow, rowKind } from './rows.ts';

/** Throws an Error that names what the definition of a controller lacks, or has too much. */
export function insistOnRows(project: Project, accounts: readonly string[]): void {
  const { controller, childKinds } = project;
  const { deployed, functions, rights, serviceNames } = controller;
  for (const name of Object.keys(deployed))
    if (!serviceNames.includes(name))
      throw new Error(`\`deployed\` of the controller has ${name}, which is not a Service: remove it`);
  for (const name of Object.keys(rights))
    if (!accounts.includes(name))
      throw new Error(`\`rights\` of the controller have ${name}, which is not an account: remove it`);
  const woken = new Set(Object.keys(functions).map((stem) => changeRow(project, stem)?.kind));
  for (const child of childKinds)
    if (!woken.has(rowKind(child)))
      throw new Error(
        `no function of functions/table.ts is woken by a ${child.kind}, a child of ${child.parents.map(({ kind }) => kind).join(' and ')}: add one with the kind '${rowKind(child)}'`,
      );
}
