import { judgeBrokers } from './checks/brokers.ts';
import { judgeChannels } from './checks/channels.ts';
import { judgeDeadLetters } from './checks/dead-letters.ts';
import { judgeDefinitions } from './checks/definitions.ts';
import { judgeDeletions } from './checks/deletions.ts';
import { judgeFunctions } from './checks/functions.ts';
import { judgeProfiles } from './checks/profiles.ts';
import { judgeResync } from './checks/resync.ts';
import { judgeRights } from './checks/rights.ts';
import { judgeSources } from './checks/sources.ts';
import { judgeTriggers } from './checks/triggers.ts';
import type { Finding, Found } from './finding.ts';
import type { Seen, Wanted } from './seen.ts';

/** Every check by its name, in the order in which an event passes what they look at. */
const checks: Readonly<Record<string, (seen: Seen, wanted: Wanted) => readonly Found[]>> = {
  definitions: judgeDefinitions,
  sources: judgeSources,
  brokers: judgeBrokers,
  triggers: judgeTriggers,
  channels: judgeChannels,
  functions: judgeFunctions,
  rights: judgeRights,
  resync: judgeResync,
  profiles: judgeProfiles,
  deletions: judgeDeletions,
  'dead-letters': judgeDeadLetters,
};

/** What all checks find in what was seen. */
export function judge(seen: Seen, wanted: Wanted): readonly Finding[] {
  return Object.entries(checks).flatMap(([check, look]) => look(seen, wanted).map((found) => ({ check, ...found })));
}
