import type { Read, Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { at, conditionOf, type Seen, sameAs, type Wanted, wantedOf } from '../seen.ts';

/**
 * Accounts that functions of older versions had, each with the name of its function, and a role and a binding `knudge-<name>`:
 * an upgrade leaves them (docs/decisions/0040-functions-of-one-resource-share-an-account.md), and so the policies of
 * deploy/admission know them.
 */
export const formerAccounts: readonly string[] = [
  'config-map-changed',
  'deployment-changed',
  'distributed-service-changed',
  'endpoint-slice-changed',
  'message-changed',
  'pod-changed',
  'secret-changed',
  'service-changed',
];

/**
 * Knative Services of every cut of the functions of a DistributedService: that of deploy/, and those of deploy/overlays/per-function,
 * which older versions had. An installation of the one leaves those of the other.
 */
export const servicesOfCuts: readonly string[] = [
  'claim-changed',
  'config-map-changed',
  'deployment-changed',
  'distributed-service',
  'distributed-service-changed',
  'endpoint-slice-changed',
  'pod-changed',
  'secret-changed',
  'service-changed',
];

/** The Knative Services of another cut that no Trigger wakes: other functions do their work now. */
export function leftServicesIn({ functions, triggers }: Seen, wanted: Wanted): readonly Thing[] {
  if ('why' in functions || 'why' in triggers) return [];
  const own = wantedOf(wanted, 'serving.knative.dev', 'Service');
  const woken = triggers.value.map(({ spec }) => at(spec, 'subscriber', 'ref', 'name'));
  return functions.value.filter(
    (one) =>
      one.metadata.namespace === wanted.namespace &&
      servicesOfCuts.includes(one.metadata.name) &&
      !own.some(sameAs(one)) &&
      !woken.includes(one.metadata.name),
  );
}

/** The former accounts that no woken function runs as any more, and all ServiceAccounts of Knudge's namespace. */
export function formerIn(seen: Seen, wanted: Wanted): Read<{ names: readonly string[]; accounts: readonly Thing[] }> {
  const { functions, accounts } = seen;
  if ('why' in functions) return functions;
  if ('why' in accounts) return accounts;
  const left = leftServicesIn(seen, wanted);
  const live = functions.value.filter((one) => !left.includes(one));
  const names = formerAccounts.filter((name) => !runsAs(name, live));
  return { value: { names, accounts: accounts.value } };
}

/** Until the new revision of a function is ready, the old one answers under its old account. */
function runsAs(account: string, functions: readonly Thing[]): boolean {
  const live = functions.find(({ metadata }) => metadata.name === account);
  if (live === undefined) return false;
  return (
    at(live.spec, 'template', 'spec', 'serviceAccountName') === account || conditionOf(live, 'Ready')?.status !== 'True'
  );
}
