import { at, conditionOf, type Read, type Seen, type Thing } from '../seen.ts';

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

/** The former accounts as which no function runs now, and all ServiceAccounts of Knudge's namespace. */
export function formerIn({
  functions,
  accounts,
}: Seen): Read<{ names: readonly string[]; accounts: readonly Thing[] }> {
  if ('why' in functions) return functions;
  if ('why' in accounts) return accounts;
  const names = formerAccounts.filter((name) => !runsAs(name, functions.value));
  return { value: { names, accounts: accounts.value } };
}

/** While the new revision of a function is not ready, the old one answers, as whom it was. */
function runsAs(account: string, functions: readonly Thing[]): boolean {
  const live = functions.find(({ metadata }) => metadata.name === account);
  if (live === undefined) return false;
  return (
    at(live.spec, 'template', 'spec', 'serviceAccountName') === account || conditionOf(live, 'Ready')?.status !== 'True'
  );
}
