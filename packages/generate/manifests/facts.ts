import type { Resource } from '../../controller/decide/resource.ts';
import { childrenOf } from '../../controller/functions/child-kinds.ts';
import { kebabOf } from '../../controller/functions/kebab.ts';
import type { ChangeRow } from '../../controller/functions/rows.ts';
import type { Project } from '../project.ts';
import { insistOnRows } from './insist.ts';
import { changeRow, rowKind, stemOf } from './rows.ts';
import { triggersOf, type Waking } from './triggers.ts';

/** The Service with the volume and the database of the event log: its manifest is written by hand. */
export const log = 'event-log';
/** The Service of the resync. */
export const resync = 'resync-due';

/** What manifests are made from: a project, and what follows from its controller about Services and accounts. */
export interface Facts extends Project {
  /** The resources that the functions of an account reconcile: its own, and those whose children wake them. */
  readonly reconciledBy: (account: string) => readonly Resource[];
  /** The rows of the functions of an account that changes wake. */
  readonly changesOf: (account: string) => readonly ChangeRow[];
  /** The account of a Knative Service: that of the resource whose own changes wake it, else its own. */
  readonly accountOf: (service: string) => string;
  /** The account of each resource, sorted. */
  readonly resourceAccounts: readonly string[];
  /** Every account of functions, sorted. */
  readonly accounts: readonly string[];
  /** The functions that the changes of each resource wake. */
  readonly parentStems: readonly string[];
  /** Services that several functions share, all of which are woken by changes: each function can have one of its own instead. */
  readonly shared: readonly string[];
  /** These functions, sorted. */
  readonly apart: readonly string[];
  /** Knative Services that send to the Broker by themselves. The event log sends dead letters again. */
  readonly senders: readonly string[];
  /** Functions of theirs that then send by themselves. */
  readonly sendersApart: readonly string[];
  /** Services of whichever cut whose functions events wake and that can say what became of these; the event log is not one. */
  readonly reporters: readonly string[];
  /** Those of them that send nothing by themselves else. */
  readonly reportersAlone: readonly string[];
  /** Every Knative Service of whichever cut, sorted. */
  readonly servicesOfAnyCut: readonly string[];
  /** Every Trigger, each with its function. */
  readonly triggers: readonly Waking[];
}

/** The facts of a project. Throws an Error that names what its controller lacks, or has too much. */
export function factsOf(project: Project): Facts {
  const { resources, serviceNames, services, stemsOf, serviceOf, deployed } = project.controller;
  const stemOfResource = (resource: Resource): string => stemOf(project, resource);
  const accountOf = (service: string): string => {
    const own = resources.find((resource) => serviceOf(stemOfResource(resource)) === service);
    return own === undefined ? service : kebabOf(own.kind);
  };
  const shared = serviceNames.filter((name) =>
    (services[name] ?? []).some(() => stemsOf(name).every((stem) => changeRow(project, stem) !== undefined)),
  );
  const apart = shared.flatMap(stemsOf).sort();
  const servicesOfAnyCut = [...new Set([...serviceNames, ...apart])].sort();
  const isWokenByEvents = (name: string): boolean =>
    (serviceNames.includes(name) ? stemsOf(name) : [name]).some(
      (stem) => project.controller.functions[stem]?.wakes !== 'question',
    );
  const reporters = servicesOfAnyCut.filter((name) => name !== log && isWokenByEvents(name));
  const facts: Facts = {
    ...project,
    accountOf,
    reconciledBy: (account) => reconciledBy(facts, account),
    changesOf: (account) => changesOf(facts, account),
    resourceAccounts: resources.map(({ kind }) => kebabOf(kind)).sort(),
    accounts: [...new Set(serviceNames.map(accountOf))].sort(),
    parentStems: resources.map(stemOfResource),
    shared,
    apart,
    senders: serviceNames.filter((name) => name === log || deployed[name]?.sends !== undefined),
    sendersApart: apart.filter((stem) => deployed[serviceOf(stem)]?.sends !== undefined),
    reporters,
    reportersAlone: reporters.filter(
      (name) => deployed[serviceNames.includes(name) ? name : serviceOf(name)]?.sends === undefined,
    ),
    servicesOfAnyCut,
    triggers: triggersOf(project.controller),
  };
  insistOnRows(project, facts.accounts);
  return facts;
}

function reconciledBy({ controller, changesOf }: Facts, account: string): readonly Resource[] {
  const kinds = changesOf(account).map(({ kind }) => kind);
  return controller.resources.filter((one) =>
    [one, ...childrenOf(one)].some((object) => kinds.includes(rowKind(object))),
  );
}

function changesOf({ accountOf, ...project }: Facts, account: string): readonly ChangeRow[] {
  const { serviceNames, stemsOf } = project.controller;
  return serviceNames
    .filter((service) => accountOf(service) === account)
    .flatMap(stemsOf)
    .flatMap((stem) => changeRow(project, stem) ?? []);
}
