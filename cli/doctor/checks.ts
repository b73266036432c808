import { judgeBrokers } from './checks/brokers.ts';
import { judgeChannels } from './checks/channels.ts';
import { judgeDeadLetters } from './checks/dead-letters.ts';
import { judgeDefinitions } from './checks/definitions.ts';
import { judgeDeletions } from './checks/deletions.ts';
import { judgeFunctions } from './checks/functions.ts';
import { judgeKnative, missingOf } from './checks/knative.ts';
import { judgePolicies } from './checks/policies.ts';
import { judgeProfiles } from './checks/profiles.ts';
import { judgeResync } from './checks/resync.ts';
import { judgeRights } from './checks/rights.ts';
import { judgeSecrets } from './checks/secrets.ts';
import { judgeReaders, judgeSources } from './checks/sources.ts';
import { judgeSubscribers } from './checks/subscribers.ts';
import { judgeTriggers } from './checks/triggers.ts';
import type { Finding, Found } from './finding.ts';
import type { Product } from './knative-parts.ts';
import type { Seen, Wanted } from './seen.ts';

type Check = (seen: Seen, wanted: Wanted) => readonly Found[];

/** Every check by its name, in the order in which an event passes what they look at; with that without which it says nothing new. */
const checks: readonly (readonly [name: string, look: Check, ...needs: Product[]])[] = [
  ['knative', judgeKnative],
  ['definitions', judgeDefinitions],
  ['sources', judgeSources, 'Knative Eventing'],
  ['sources', judgeReaders],
  ['brokers', judgeBrokers, 'Knative Eventing'],
  ['brokers', judgeSubscribers, 'Knative Eventing'],
  ['triggers', judgeTriggers, 'Knative Eventing'],
  ['channels', judgeChannels, 'Knative Eventing'],
  ['functions', judgeFunctions, 'Knative Serving'],
  ['rights', judgeRights],
  ['policies', judgePolicies],
  ['resync', judgeResync, 'Knative Eventing', 'Knative Serving'],
  ['profiles', judgeProfiles],
  ['secrets', judgeSecrets],
  ['deletions', judgeDeletions],
  ['dead-letters', judgeDeadLetters, 'Knative Serving'],
];

/** What all checks find in what was seen. What follows from a Knative that is not there is left out. */
export function judge(seen: Seen, wanted: Wanted): readonly Finding[] {
  const missing = missingOf(seen);
  return checks
    .filter(([, , ...needs]) => !needs.some((product) => missing.includes(product)))
    .flatMap(([check, look]) => look(seen, wanted).map((found) => ({ check, ...found })));
}
