import { traceEvents, type Way } from '../../packages/mesh/map/trace.ts';
import type { MeshSpec } from '../../packages/mesh/mesh-spec.ts';

/** What the picture shows, column by column, each in the order from top to bottom. */
export interface Stages {
  readonly sources: readonly Source[];
  readonly functions: readonly Woken[];
}

export interface Source {
  /** `ApiServerSource`; nothing where no manifest makes it. */
  readonly kind: string;
  readonly name: string;
  /** Kinds, a schedule, or the types of events. */
  readonly tells: readonly string[];
}

/** A function of the manifests, with what wakes it. */
export interface Woken {
  readonly name: string;
  readonly triggers: readonly Trigger[];
  /** Plurals of what its Roles let it make. */
  readonly makes: readonly string[];
  /** Whether a Broker or a Trigger sends it what nobody took. */
  readonly takesDeadLetters: boolean;
  /** Where what it sends comes back to the Broker. */
  readonly sendsAs?: string;
}

interface Trigger {
  readonly name: string;
  readonly wantsAll: boolean;
}

/** The map of `npx knudge map`, cut into columns: what hears of few sources stands above what hears of many. */
export function stagesOf(spec: MeshSpec): Stages {
  const { ways, deadLetters } = traceEvents(spec);
  const idle = spec.triggers.filter(({ name }) => !ways.some(({ to }) => to.some((stop) => stop.trigger === name)));
  if (idle.length > 0) {
    const names = idle.map(({ name }) => name).join(', ');
    throw new Error(`no source sends what Trigger ${names} wants: mend its filters, \`npx knudge map\` shows all ways`);
  }
  const functions = spec.functions
    .map(({ name }) => ({
      ...wokenOf(name, ways),
      takesDeadLetters: deadLetters.some(({ sink }) => functionOf(sink) === name),
    }))
    .toSorted((one, other) => rankOf(one, ways) - rankOf(other, ways));
  return { sources: sourcesOf(ways, functions), functions };
}

function wokenOf(name: string, ways: readonly Way[]): Omit<Woken, 'takesDeadLetters'> {
  const stops = ways.flatMap(({ to }) => to).filter((stop) => functionOf(stop.function) === name);
  const triggers = [...new Set(stops.map(({ trigger }) => trigger))];
  const back = ways.find(({ source }) => source.split(', ').includes(name));
  return {
    name,
    triggers: triggers.map((trigger) => ({
      name: trigger,
      wantsAll: ways.every(({ to }) => to.some((stop) => stop.trigger === trigger)),
    })),
    makes: [...new Set(stops.flatMap(({ makes }) => makes))].filter(isObject),
    ...(back && { sendsAs: back.source }),
  };
}

/** A review is a question to the API server: it is created, and nothing is there afterwards. */
function isObject(plural: string): boolean {
  return !plural.endsWith('reviews');
}

/** `event-log/dead-lettered` is a path of the function event-log. */
function functionOf(address: string): string {
  return address.split('/')[0] ?? address;
}

/** Of how many sources it hears; what no event wakes comes last. */
function rankOf({ name }: { readonly name: string }, ways: readonly Way[]): number {
  const heard = ways.filter(({ to }) => to.some((stop) => functionOf(stop.function) === name));
  return new Set(heard.map(({ source }) => source)).size || Number.POSITIVE_INFINITY;
}

/** Each with its kinds in the order of the Triggers that want them, so that the two columns go side by side. */
function sourcesOf(ways: readonly Way[], functions: readonly Woken[]): readonly Source[] {
  const rows = functions.flatMap(({ triggers }) => triggers.map(({ name }) => name));
  const rowOf = ({ to }: Way) => Math.min(...to.map(({ trigger }) => rows.indexOf(trigger)));
  return [...Map.groupBy(ways, ({ source }) => source)].map(([source, of]) => {
    const [kind = '', name] = source.split(' knudge/');
    const tells = of.toSorted((one, other) => rowOf(one) - rowOf(other)).map(tellsOf);
    return { ...(name === undefined ? { kind: '', name: source } : { kind, name }), tells: [...new Set(tells)] };
  });
}

/** A kind without its selectors; what no source of the cluster sends has types of its own. */
function tellsOf({ about, types, source }: Way): string {
  if (!source.includes('/')) return types.map((type) => type.replace('dev.knudge.', '')).join(', ');
  return about.replace(/ with .*/, '').replace('schedule ', '');
}
