import type { Case } from './case.ts';
import { backendCases } from './cases/backends.ts';
import { balancingCases } from './cases/balancing.ts';
import { exposeCases } from './cases/expose.ts';
import { hostCases } from './cases/hosts.ts';
import { messageCases } from './cases/messages.ts';
import { securityCases } from './cases/security.ts';
import { selectorCases } from './cases/selectors.ts';
import { serviceCases } from './cases/services.ts';

/** What the CRDs take and what they refuse: the same for every API server that holds them. */
export const cases: readonly Case[] = [
  ...serviceCases,
  ...backendCases,
  ...selectorCases,
  ...hostCases,
  ...balancingCases,
  ...securityCases,
  ...exposeCases,
  ...messageCases,
];
