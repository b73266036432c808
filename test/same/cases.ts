import type { Case } from './arena.ts';
import { applyCases } from './cases/apply.ts';
import { createCases } from './cases/create.ts';
import { deleteCases } from './cases/delete.ts';
import { finalizerCases } from './cases/finalizers.ts';
import { listCases } from './cases/list.ts';
import { noticeCases } from './cases/notice.ts';
import { ownershipCases } from './cases/ownership.ts';
import { readCases } from './cases/read.ts';
import { scaleCases } from './cases/scale.ts';
import { statusCases } from './cases/status.ts';
import { strayCases } from './cases/strays.ts';

/** How the ports behave: one table, for the embedded API and for the real API server. */
export const cases: readonly Case[] = [
  ...createCases,
  ...readCases,
  ...listCases,
  ...applyCases,
  ...ownershipCases,
  ...strayCases,
  ...deleteCases,
  ...finalizerCases,
  ...statusCases,
  ...scaleCases,
  ...noticeCases,
];
