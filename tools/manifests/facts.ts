import { deployed } from '../../functions/deployed.ts';
import { rights } from '../../functions/rights.ts';
import type { ChangeRow, FunctionRow } from '../../functions/rows.ts';
import { functions, type Stem, serviceNames, serviceOf, services, stemsOf } from '../../functions/table.ts';
import { knownKind } from '../../packages/controller/domain/known-kinds.ts';
import { groupOf, type ObjectRef } from '../../packages/controller/domain/kube-object.ts';
import { declared as resources } from '../../resources/managed/declared.ts';
import { kebabOf } from '../types/names.ts';

type Kind = Pick<ObjectRef, 'apiVersion' | 'kind'>;
export type Resource = (typeof resources)[number];

/** The row of a function that changes wake; undefined for any other. */
export function changeRow(stem: Stem): ChangeRow | undefined {
  const row: FunctionRow = functions[stem];
  return row.wakes === 'change' ? row : undefined;
}

/** `group/Kind`, as rows of the table have it. */
function rowKind({ apiVersion, kind }: Kind): string {
  return `${groupOf(apiVersion)}/${kind}`;
}

/** Where the API server has the objects of a kind. */
export function resourceOf({ apiVersion, kind }: Kind): { readonly group: string; readonly plural: string } {
  const known = knownKind({ apiVersion, kind });
  if (known === undefined)
    throw new Error(`${apiVersion} ${kind} is not in packages/controller/domain/known-kinds.ts: add it`);
  return { group: groupOf(apiVersion), plural: known.plural };
}

/** Each kind once with what Knudge calls its objects, for one parent. */
export function childrenOf(resource: Resource): readonly ObjectRef[] {
  const { apiVersion, kind } = resource;
  return [...resource.children({ apiVersion, kind, namespace: 'any', name: 'any' }).values()];
}

/** The Knative Service that reconciles a resource when it has changed itself. */
function homeOf(resource: Resource): string {
  return serviceOf(stemOf(resource));
}

function stemOf(resource: Resource): Stem {
  const stem = (Object.keys(functions) as Stem[]).find((one) => changeRow(one)?.kind === rowKind(resource));
  if (stem === undefined) throw new Error(`no function of functions/table.ts is woken by a ${resource.kind}: add it`);
  return stem;
}

/** The account of a Knative Service: that of the resource whose own changes wake it, else its own. */
export function accountOf(service: string): string {
  const own = resources.find((resource) => homeOf(resource) === service);
  return own === undefined ? service : kebabOf(own.kind);
}

/** The resources that the functions of an account reconcile: its own, and those whose children wake them. */
export function reconciledBy(account: string): readonly Resource[] {
  const kinds = serviceNames
    .filter((service) => accountOf(service) === account)
    .flatMap(stemsOf)
    .flatMap((stem) => changeRow(stem)?.kind ?? []);
  return resources.filter((one) => [one, ...childrenOf(one)].some((object) => kinds.includes(rowKind(object))));
}

/** The account of each resource, sorted. */
export const resourceAccounts: readonly string[] = resources.map(({ kind }) => kebabOf(kind)).sort();

/** Every account of functions, sorted. */
export const accounts: readonly string[] = [...new Set(serviceNames.map(accountOf))].sort();

/** The functions that the changes of each resource wake. */
export const parentStems: readonly Stem[] = resources.map(stemOf);

/** Functions that have a Service for each in deploy/overlays/per-function, sorted. */
export const apart: readonly Stem[] = [...services['distributed-service']].sort();

/** The Service that these share elsewhere. */
export const together = 'distributed-service';

/** Knative Services that send to the Broker by themselves. The event log sends dead letters again. */
export const senders: readonly string[] = serviceNames.filter(
  (name) => name === 'event-log' || deployed[name]?.sends !== undefined,
);

/** Every Knative Service of whichever cut, sorted. */
export const servicesOfAnyCut: readonly string[] = [...serviceNames, ...apart].sort();

for (const name of Object.keys(deployed))
  if (!serviceNames.includes(name))
    throw new Error(`functions/deployed.ts has ${name}, which is no Service: remove it`);
for (const name of Object.keys(rights))
  if (!accounts.includes(name)) throw new Error(`functions/rights.ts has ${name}, which is no account: remove it`);
