import type { Finding, Found } from '../../packages/controller/doctor/finding.ts';
import type { OwnChecks } from '../../packages/controller/doctor/own-checks.ts';
import { judgeBrokers } from './checks/brokers.ts';
import { judgeChannels } from './checks/channels.ts';
import { judgeDeadLetters } from './checks/dead-letters.ts';
import { judgeDefinitions } from './checks/definitions.ts';
import { judgeDeletions } from './checks/deletions.ts';
import { judgeLog } from './checks/event-log.ts';
import { judgeFunctions } from './checks/functions.ts';
import { judgeKnative, missingOf } from './checks/knative.ts';
import { judgePolicies } from './checks/policies.ts';
import { judgeResync } from './checks/resync.ts';
import { judgeRights } from './checks/rights.ts';
import { judgeReaders, judgeSources } from './checks/sources.ts';
import { judgeSubscribers } from './checks/subscribers.ts';
import { judgeTriggers } from './checks/triggers.ts';
import type { Product } from './knative-parts.ts';
import { again, restart } from './mend.ts';
import { isMesh, type Seen, type Wanted } from './seen.ts';

type Check = (seen: Seen, wanted: Wanted) => readonly Found[];

/** Every check by its name, in the order in which an event passes what they check; a check is left out if a product it needs is missing. */
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
];

/** What is checked after the controller's own checks. */
const last: typeof checks = [
  ['deletions', judgeDeletions],
  ['event-log', judgeLog, 'Knative Serving'],
  ['dead-letters', judgeDeadLetters, 'Knative Serving'],
];

/** The findings of all checks, those of the controller's own among them. What follows only from a missing Knative is left out. */
export function judge(seen: Seen, wanted: Wanted, { judges }: Pick<OwnChecks, 'judges'>): readonly Finding[] {
  const missing = missingOf(seen);
  const own = Object.entries(judges).map(
    ([name, look]) => [name, ({ parents, own: rest }: Seen) => look({ parents, ...rest })] as const,
  );
  return [...checks, ...own, ...last]
    .filter(([, , ...needs]) => !needs.some((product) => missing.includes(product)))
    .flatMap(([check, look]) => look(seen, wanted).map((found) => ({ check, ...inPlace(found, isMesh(seen)) })));
}

/** A mesh runs functions from their sources. */
const withImage = /^with image \S+, /;

/** A mesh has no kustomization that was applied to it. */
function inPlace(found: Found, isInMesh: boolean): Found {
  const { todo } = found;
  return isInMesh && todo !== undefined
    ? { ...found, todo: todo.replace(withImage, '').replace(again, restart) }
    : found;
}
