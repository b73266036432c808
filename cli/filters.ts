import { type Command, InvalidArgumentError, Option } from 'commander';
import { eventTypes, resyncTypes } from '../packages/controller/domain/change.ts';
import { asKnudgeError } from '../packages/controller/domain/errors.ts';
import type { EventFilter } from '../packages/controller/domain/event-log.ts';
import { readManifests } from '../packages/mesh/manifests/read-manifests.ts';
import { watchedKind } from '../packages/mesh/parent-kinds.ts';
import { root } from './about.ts';
import { placeIn, usageError } from './leaf.ts';

/** What says which events are meant. */
export interface FilterOptions {
  readonly since?: string;
  readonly until?: string;
  readonly type?: string;
  readonly kind?: string;
  readonly object?: { readonly namespace: string; readonly name: string };
  readonly inNamespace?: string;
  readonly id?: string;
}

/** Adds the options that say which events are meant. */
export function withFilters(command: Command): Command {
  return command
    .addOption(
      new Option('--since <time>', 'from then on: 2026-03-01T12:00:00Z, or an age: 15m, 24h, 7d').argParser(time),
    )
    .addOption(new Option('--until <time>', 'before that').argParser(time))
    .addOption(new Option('--type <type>', 'of the event, as it is or as the list shows it').argParser(typeNamed))
    .addOption(new Option('--kind <kind>', 'of the object, as kubectl calls it or as it is').argParser(kindOf))
    .addOption(new Option('--object <namespace/name>', 'that it is about').argParser(object))
    .option('--in-namespace <name>', 'of the object')
    .option('--id <id>', 'of the event, as its source gave it');
}

/** The filter that the options mean. Throws wrong usage where two of them say different things. */
export function filterOf({ object: about, inNamespace, ...options }: FilterOptions): EventFilter {
  if (about !== undefined && inNamespace !== undefined && inNamespace !== about.namespace) {
    throw usageError(`--object is in namespace ${about.namespace}: leave out --in-namespace ${inNamespace}`);
  }
  const { since, until, type, kind, id } = options;
  if (since !== undefined && until !== undefined && Date.parse(since) >= Date.parse(until)) {
    throw usageError(
      `between --since ${since} and --until ${until} there is no time: the first must be the earlier one`,
    );
  }
  const namespace = about?.namespace ?? inNamespace;
  const name = about?.name;
  const all = { since, until, type, kind, namespace, name, id };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** Milliseconds. */
const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** RFC 3339, of an age too. */
function time(text: string): string {
  const [, number, unit = ''] = /^(\d{1,6})([smhdw])$/.exec(text) ?? [];
  if (number !== undefined) return new Date(Date.now() - Number(number) * (units[unit] ?? 0)).toISOString();
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  if (isTime && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError(
    'It is a time such as 2026-03-01T12:00:00Z, or an age such as 90s, 15m, 24h, 7d or 2w.',
  );
}

/** A type without what all of its sort begin with. */
export function shortType(type: string): string {
  return type.replace(/^dev\.(knative\.apiserver|knative|knudge)\./, '');
}

const knownTypes: readonly string[] = [...Object.keys(eventTypes), ...Object.values(resyncTypes)];

function typeNamed(word: string): string {
  return knownTypes.find((type) => shortType(type) === word) ?? word;
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
  throw new InvalidArgumentError('Say its namespace and its name, such as default/hello.');
}
