import { storedKind } from '../packages/controller/domain/known-kinds.ts';
import type { ChangeRow, FunctionRow } from './rows.ts';
import { functions } from './table.ts';

const rows = Object.values<FunctionRow>(functions).filter((row): row is ChangeRow => row.wakes === 'change');

/** What the sources watch, from the rows of the table: Knudge's own, and the ApiServerSources in eventing/sources. */
export const watches = [
  { mode: 'Resource', resources: resourcesOf(rows.filter(({ mode }) => mode === undefined)) },
  // Names alone: what a Secret holds is not even read.
  { mode: 'Reference', resources: resourcesOf(rows.filter(({ mode }) => mode === 'Reference')) },
] as const;

function resourcesOf(watched: readonly ChangeRow[]) {
  return watched.flatMap(({ kind, labels }) => {
    const stored = storedKind(kind);
    if (stored === undefined)
      throw new Error(
        `${kind} in functions/table.ts is not known: add it to packages/controller/domain/known-kinds.ts or crds/`,
      );
    return labels.map((selector) => ({ ...stored, selector }));
  });
}
