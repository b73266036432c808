import type { Mutant } from './mutant.ts';
import { answerMutants } from './table/answers.ts';
import { certificateMutants } from './table/certificates.ts';
import { claimMutants } from './table/claims.ts';
import { deletionMutants } from './table/deletion.ts';
import { equalMutants } from './table/equal.ts';
import { eventMutants } from './table/events.ts';
import { lookMutants } from './table/looks.ts';
import { loopMutants } from './table/loops.ts';
import { outcomeMutants } from './table/outcomes.ts';
import { owningMutants } from './table/owning.ts';
import { restartMutants } from './table/restarts.ts';
import { resyncMutants } from './table/resync.ts';
import { rotationMutants } from './table/rotation.ts';
import { ruleMutants } from './table/rules.ts';
import { sourceMutants } from './table/source.ts';
import { statusMutants } from './table/status.ts';
import { usingMutants } from './table/using.ts';
import { writeMutants } from './table/writes.ts';

/** Every seeded fault. */
export const mutants: readonly Mutant[] = [
  ...ruleMutants,
  ...equalMutants,
  ...writeMutants,
  ...outcomeMutants,
  ...restartMutants,
  ...owningMutants,
  ...usingMutants,
  ...certificateMutants,
  ...rotationMutants,
  ...statusMutants,
  ...eventMutants,
  ...answerMutants,
  ...deletionMutants,
  ...resyncMutants,
  ...claimMutants,
  ...loopMutants,
  ...lookMutants,
  ...sourceMutants,
];
