import type { Scenario } from '../scenario.ts';
import { backends } from './backends.ts';
import { certificates } from './certificates.ts';
import { claims } from './claims.ts';
import { claimsOfOthers } from './claims-of-others.ts';
import { create } from './create.ts';
import { deletions } from './deletions.ts';
import { drift } from './drift.ts';
import { fields } from './fields.ts';
import { messages } from './messages.ts';
import { profiles } from './profiles.ts';
import { recreations } from './recreations.ts';
import { scale } from './scale.ts';
import { secrets } from './secrets.ts';
import { several } from './several.ts';
import { squatters } from './squatters.ts';
import { strays } from './strays.ts';
import { touch } from './touch.ts';

/** Every scenario, by family. */
export const families = {
  create,
  fields,
  touch,
  drift,
  strays,
  secrets,
  certificates,
  profiles,
  backends,
  scale,
  deletions,
  recreations,
  squatters,
  messages,
  several,
  claims,
  claimsOfOthers,
} as const satisfies Record<string, readonly Scenario[]>;

/** The table: everything that happens in a cluster and concerns Knudge. */
export const scenarios: readonly Scenario[] = Object.values(families).flat();
