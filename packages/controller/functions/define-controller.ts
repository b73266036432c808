import type { Cluster } from '../cluster/cluster.ts';
import { withNet } from '../decide/net.ts';
import type { Resource } from '../decide/resource.ts';
import type { OwnChecks } from '../doctor/own-checks.ts';
import { howToAdd, storedKind } from '../domain/known-kinds.ts';
import type { LooksAt } from '../domain/looks-at.ts';
import type { Outside } from '../react/outside.ts';
import type { Config } from '../server/config.ts';
import type { MetricInfo } from '../server/exposition.ts';
import type { ReconcileNames } from '../server/metric-table.ts';
import type { Settings, ValuesOf } from '../server/settings.ts';
import type { Deployed, Rights, Woken } from './manifested.ts';
import type { ChangeRow, FunctionRow } from './rows.ts';
import { standardDeployed, standardFunctions, standardServices, standardTriggers, standardWoken } from './standard.ts';

/** What the functions of one process use besides the engine. */
export interface Equipment {
  readonly resources: readonly Resource[];
  /** See `Outside`. */
  readonly settle?: Outside['settle'];
  /** A gauge of this process with one label: how many parents are in each state. */
  readonly states?: MetricInfo & {
    readonly count: (cluster: Pick<Cluster, 'list'>) => Promise<ReadonlyMap<string, number>>;
  };
  /** If absent, the metrics of reconciles are called as the engine calls them. */
  readonly reconcileNames?: ReconcileNames;
}

/** What equipment is made from when a process starts. */
export interface Equipping<Own extends Settings = Settings> {
  readonly config: Config<ValuesOf<Own>>;
  /** The functions of the process. */
  readonly stems: readonly string[];
  /** A secret that nobody can guess. */
  readonly newToken: () => string;
}

/** A controller, as `functions/table.ts` defines it. */
export interface ControllerDefinition<Own extends Settings = Settings> {
  /**
   * The namespace in which its functions, its Broker (of the same name) and its sources are, and the first word of its cluster-wide roles.
   * If absent, `knudge`. Controllers of different names can be in one cluster.
   */
  readonly name?: string;
  /** The custom resources: their kinds, and those of their children. */
  readonly resources: readonly Resource[];
  /** Functions by their stems, besides those that follow from the resources (`standardFunctions`), or in the place of one of them. */
  readonly functions?: Readonly<Record<string, FunctionRow>>;
  /** Knative Services that serve several functions, each at the path of its stem; every other serves the one of its name.
   * If absent, the functions of one resource share one. */
  readonly services?: Readonly<Record<string, readonly string[]>>;
  /** Triggers beside those that have the name of their function, each with its function. */
  readonly otherTriggers?: Readonly<Record<string, string>>;
  /** By Knative Service. */
  readonly deployed?: Readonly<Record<string, Deployed>>;
  /** By Trigger. */
  readonly woken?: Readonly<Record<string, Woken>>;
  /** By account. */
  readonly rights?: Readonly<Record<string, Rights>>;
  /** What `knudge doctor` checks for this controller alone. */
  readonly checks?: OwnChecks;
  /** Variables of the environment that this controller alone reads: `equip` gets their values as `config.own`. */
  readonly settings?: Own;
  /** If absent, the resources need nothing of the outside. */
  equip?(given: Equipping<Own>): Equipment;
}

/** One way in which sources watch, and what. */
interface Watching {
  readonly mode: 'Resource' | 'Reference';
  readonly resources: readonly { readonly apiVersion: string; readonly kind: string; readonly selector: string }[];
}

/** A controller with all that follows from its definition. */
export interface Controller extends Required<ControllerDefinition> {
  /** What functions look at in the status of each kind, as `group/Kind`. */
  readonly looksAt: Readonly<Record<string, LooksAt>>;
  /** What the sources watch. */
  readonly watches: readonly Watching[];
  /** Every Knative Service, in the order of the functions. */
  readonly serviceNames: readonly string[];
  /** Every process that can be started: the Services, and functions of a shared Service that can have one of their own. */
  readonly processNames: readonly string[];
  /** The name of the Knative Service that serves a function, and of its process. */
  readonly serviceOf: (stem: string) => string;
  /** The functions that a Knative Service serves, in their order. */
  readonly stemsOf: (service: string) => readonly string[];
}

/**
 * Makes a controller of its definition. Its `watches` throw an Error if a function watches a kind that is not known: the engine knows the
 * built-in kinds that are used most, `knudge generate` adds those of crds/, and `addKinds` any other.
 */
export function defineController<Own extends Settings = Settings>(definition: ControllerDefinition<Own>): Controller {
  const { resources, services = standardServices(resources, definition.functions), name = 'knudge' } = definition;
  const { equip }: Pick<ControllerDefinition, 'equip'> = definition;
  const functions = { ...definition.functions };
  for (const [stem, row] of Object.entries(standardFunctions(resources, name))) functions[stem] ??= row;
  const rows = Object.values(functions);
  const changes = rows.filter((row): row is ChangeRow => row.wakes === 'change');
  const stems = Object.keys(functions);
  const shared = new Map(Object.entries(services).flatMap(([name, own]) => own.map((stem) => [stem, name] as const)));
  const serviceOf = (stem: string): string => shared.get(stem) ?? stem;
  const serviceNames = [...new Set(stems.map(serviceOf))];
  const splits = Object.values(services).filter((own) => own.every((stem) => functions[stem]?.wakes === 'change'));
  return {
    checks: { judges: {} },
    rights: {},
    settings: {},
    ...definition,
    name,
    equip: (given) => {
      const equipped = equip?.(given) ?? { resources: resources.map((one) => withNet(one, resources)) };
      return { ...equipped, resources: equipped.resources.map((one) => ofController(one, name)) };
    },
    functions,
    services,
    otherTriggers: { ...standardTriggers, ...definition.otherTriggers },
    deployed: { ...standardDeployed, ...definition.deployed },
    woken: { ...standardWoken(name), ...definition.woken },
    looksAt: Object.fromEntries(changes.map(({ kind, looksAt }) => [kind, looksAt])),
    // Not before somebody asks: the generator of the list of kinds loads a controller with a kind that is not in that list yet.
    get watches() {
      return watchesOf(changes);
    },
    serviceNames,
    processNames: [...new Set([...serviceNames, ...splits.flat()])],
    serviceOf,
    stemsOf: (service) => stems.filter((stem) => serviceOf(stem) === service),
  };
}

/** The same resource, whose children carry the name of this controller. */
function ofController(resource: Resource, controller: string): Resource {
  return { ...resource, decide: (observed, given) => resource.decide(observed, { ...given, controller }) };
}

function watchesOf(changes: readonly ChangeRow[]): readonly Watching[] {
  return [
    { mode: 'Resource', resources: resourcesOf(changes.filter(({ mode }) => mode === undefined)) },
    // Only names: what a Secret holds is not even read.
    { mode: 'Reference', resources: resourcesOf(changes.filter(({ mode }) => mode === 'Reference')) },
  ];
}

function resourcesOf(watched: readonly ChangeRow[]): Watching['resources'] {
  return watched.flatMap(({ kind, labels }) => {
    const stored = storedKind(kind);
    if (stored === undefined) {
      const name = kind.startsWith('/') ? `v1${kind}` : kind.replace('/', '/<version>/');
      throw new Error(`${kind} in functions/table.ts is not known: ${howToAdd(name)}`);
    }
    return labels.map((selector) => ({ ...stored, selector }));
  });
}
