import type { Row } from './table.ts';

/** Why a case is left out on the mesh, and what the mesh says when it is asked for all the same. */
export interface Refused {
  readonly because: string;
  readonly says: string;
}

/** What the mesh does not run at all, by area and name of the case. */
const refusedByMesh: Readonly<Record<string, Refused>> = {
  'filters: a Trigger with cesql': {
    because: 'CESQL is a language of its own, and no Trigger of Knudge speaks it.',
    says: 'cesql: is not run locally: say it with exact, prefix, suffix, all, any and not',
  },
};

export function refusalOf({ area, one }: Row): Refused | undefined {
  return refusedByMesh[`${area}: ${one.name}`];
}
