import { type Command, InvalidArgumentError, Option } from 'commander';
import { eventTypes, resyncTypes } from '../packages/controller/domain/change.ts';
import { asKnudgeError } from '../packages/controller/domain/errors.ts';
import type { EventFilter } from '../packages/controller/domain/event-log.ts';
import { readManifests } from '../packages/mesh/manifests/read-manifests.ts';
import { watchedKind } from '../packages/mesh/parent-kinds.ts';
import { root } from './about.ts';
import { placeIn, usageError } from './leaf.ts';

/** The options that select events. */
export interface FilterOptions {
  readonly since?: string;
  readonly until?: string;
  readonly type?: string;
  readonly kind?: string;
  readonly object?: { readonly namespace: string; readonly name: string };
  readonly inNamespace?: string;
  readonly id?: string;
}

/** Adds the options that select events. */
export function withFilters(command: Command): Command {
  return command
    .addOption(
      new Option('--since <time>', 'from then on: 2026-03-01T12:00:00Z, or an age: 15m, 24h, 7d').argParser(time),
    )
    .addOption(new Option('--until <time>', 'before that').argParser(time))
    .addOption(new Option('--type <type>', 'type of the event, in full or as the list shows it').argParser(typeNamed))
    .addOption(new Option('--kind <kind>', 'kind of the object, or its name in kubectl').argParser(kindOf))
    .addOption(new Option('--object <namespace/name>', 'the object that it is about').argParser(object))
    .option('--in-namespace <name>', 'namespace of the object')
    .option('--id <id>', 'id of the event, as its source gave it');
}

/** The filter that the options describe. Throws a usage error if two of them contradict each other. */
export function filterOf({ object: about, inNamespace, ...options }: FilterOptions): EventFilter {
  if (about !== undefined && inNamespace !== undefined && inNamespace !== about.namespace) {
    throw usageError(`--object is in namespace ${about.namespace}: leave out --in-namespace ${inNamespace}`);
  }
  const { since, until, type, kind, id } = options;
  if (since !== undefined && until !== undefined && Date.parse(since) >= Date.parse(until)) {
    throw usageError(`between --since ${since} and --until ${until} there is no time: give --since the earlier one`);
  }
  const namespace = about?.namespace ?? inNamespace;
  const name = about?.name;
  const all = { since, until, type, kind, namespace, name, id };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Milliseconds per unit of an age. */
const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Turns a time or an age into RFC 3339. */
function time(text: string): string {
  const [, number, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (number !== undefined) return new Date(Date.now() - Number(number) * (units[unit] ?? 0)).toISOString();
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  if (isTime && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError(
    'Give a time such as 2026-03-01T12:00:00Z, or an age such as 90s, 15m, 24h, 7d or 2w.',
  );
}

/** An event type without the prefix that all types of its sort share. */
export function shortType(type: string): string {
  return type.replace(/^dev\.(knative\.apiserver|knative|knudge)\./, '');
}

/** The same on one line of a list, where most types are of changes. */
export function listedType(type: string): string {
  return shortType(type).replace(/^resource\./, '');
}

const knownTypes: readonly string[] = [...Object.keys(eventTypes), ...Object.values(resyncTypes)];

function typeNamed(word: string): string {
  const known = knownTypes.find((type) => [shortType(type), listedType(type)].includes(word)) ?? word;
  // A type of somebody else's has a prefix.
  if (known.includes('.')) return known;
  const names = knownTypes.map(shortType).join(', ');
  throw new InvalidArgumentError(`No event has a type ${word}: ${names}, or a whole type such as com.example.changed.`);
}

function kindOf(word: string): string {
  try {
    return watchedKind(word, readManifests({ root }));
  } catch (error) {
    throw new InvalidArgumentError(`${asKnudgeError(error).message}.`);
  }
}

function object(text: string): { readonly namespace: string; readonly name: string } {
  const place = placeIn(text);
  if (place !== undefined) return place;
  throw new InvalidArgumentError('Give its namespace and its name, such as default/hello.');
}
