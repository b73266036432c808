import type { Command } from 'commander';
import { printYaml } from '../../packages/controller/cluster/yaml.ts';
import type { EventFilter, Gap, RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import { describe, type KubeObject, type ObjectRef } from '../../packages/controller/domain/kube-object.ts';
import { readAll } from '../../packages/event-log/replay/read-all.ts';
import { lastObjects } from '../../packages/event-log/store/last-objects.ts';
import { readManifests } from '../../packages/mesh/manifests/read-manifests.ts';
import { parentKinds } from '../../packages/mesh/parent-kinds.ts';
import { root } from '../about.ts';
import { exitCodes } from '../exit-codes.ts';
import { type FilterOptions, filterOf, withFilters } from '../filters.ts';
import { leaf, usageError } from '../leaf.ts';
import { type LogOptions, type OpenLog, openLog, withLog } from '../open-log.ts';
import { parentsBy } from '../parents.ts';
import { show } from '../show.ts';
import { countOf } from '../words.ts';
import { gapsOf } from './gaps.ts';
import { type Progress, showProgress } from './progress.ts';
import { writeTexts } from './write.ts';

interface Options extends LogOptions, FilterOptions {
  readonly output?: string;
  readonly objects?: boolean;
}

/** `knudge events export`: prints everything that the filters select, for another program. */
export function exportCommand(): Command {
  const command = leaf('export', 'print every matching event as a line of JSON, oldest first');
  return withFilters(withLog(command))
    .option('--output <file>', 'write to this file instead of the standard output')
    .option('--objects', `print the last state of each ${parentsBy('and')} as YAML to apply, instead of events`)
    .action(exportAll);
}

async function exportAll(options: Options): Promise<void> {
  const filter = filterOf(options);
  const kinds = options.objects ? kindsOf(options) : undefined;
  const opened = await openLog(options);
  try {
    const told =
      kinds === undefined
        ? await exportEvents(opened, filter, options)
        : await exportObjects(opened, filter, { kinds, ...options });
    const gaps = await gapsOf(opened.log, filter);
    if (gaps.length > 0) console.error(missingIn(gaps));
    const { output } = options;
    if (output !== undefined) show({ file: output, ...told }, () => textOf(told, output), options);
  } finally {
    await opened.close();
  }
}

function missingIn(gaps: readonly Gap[]): string {
  const missing = gaps.reduce((sum, { events = 0 }) => sum + events, 0);
  const known = missing > 0 ? [`${countOf(missing, 'event')} of that time could not be recorded`] : [];
  const isUnknown = gaps.some(({ events }) => events === undefined);
  const more = isUnknown ? ['for some of that time the number of missing events is unknown'] : [];
  return `${[...known, ...more].join(', and ')}: npx knudge events list shows the gaps`;
}

type Told = { readonly events: number } | { readonly objects: number };

function textOf(told: Told, output: string): string {
  return `${output} has ${'events' in told ? countOf(told.events, 'event') : countOf(told.objects, 'object')}`;
}

async function exportEvents({ log }: OpenLog, filter: EventFilter, { output }: Options): Promise<Told> {
  const progress = showProgress(process.stderr, await log.count(filter, 'events'));
  try {
    await writeTexts(linesOf(readAll(log.events, filter), progress), output);
  } finally {
    progress.end();
  }
  return { events: progress.done() };
}

async function* linesOf(events: AsyncIterable<RecordedEvent>, { step }: Progress): AsyncGenerator<string> {
  for await (const event of events) {
    step();
    yield `${JSON.stringify(event)}\n`;
  }
}

/** The kinds to export as objects. Only parents: Knudge makes all others again from them. */
function kindsOf({ kind, type, id }: Options): readonly string[] {
  if (type !== undefined || id !== undefined)
    throw usageError('--objects needs all events of an object: leave out --type and --id');
  const parents = parentKinds(readManifests({ root }).objects);
  if (kind === undefined) return parents;
  if (parents.includes(kind)) return [kind];
  throw usageError(`--objects gives ${parents.join(' and ')}, not ${kind}: Knudge makes its children anew`);
}

async function exportObjects(
  { log }: OpenLog,
  filter: EventFilter,
  { kinds, output, json = false }: Options & { readonly kinds: readonly string[] },
): Promise<Told> {
  const objects: KubeObject[] = [];
  const incomplete: ObjectRef[] = [];
  for (const kind of kinds) {
    const found = await lastObjects(readAll(log.events, { ...filter, kind }));
    objects.push(...found.objects);
    incomplete.push(...found.incomplete);
  }
  await writeTexts(documentsOf(objects, json), output);
  for (const one of incomplete) console.error(`${describe(one)} is left out: the log does not keep one of its texts`);
  if (incomplete.length > 0) process.exitCode = exitCodes.failed;
  return { objects: objects.length };
}

async function* documentsOf(objects: readonly KubeObject[], json: boolean): AsyncGenerator<string> {
  for (const object of objects) yield json ? `${JSON.stringify(object)}\n` : `---\n${printYaml(object)}`;
}
