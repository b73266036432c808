import type { RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import { outgoingOf } from '../../packages/event-log/replay/outgoing.ts';
import { writesOf } from '../../packages/event-log/replay/plans.ts';
import { readManifests } from '../../packages/mesh/manifests/read-manifests.ts';
import { plannersOf } from '../../packages/mesh/planners.ts';
import { root } from '../about.ts';
import { exitCodes } from '../exit-codes.ts';
import { show } from '../show.ts';
import { untilSignal } from '../until-signal.ts';
import { countOf } from '../words.ts';
import { askPlan, type Planned, seenByBroker } from './ask.ts';
import { openFunctions, type PlanningFunctions } from './functions.ts';
import { headOf, lineOf } from './list.ts';
import type { ReplayOptions } from './options.ts';
import { openSource } from './source.ts';

interface Asked {
  readonly function: string;
  readonly planned: Planned;
}

/** `knudge replay --plan`: what each function that the Triggers would wake says that it would write, as things are now. */
export async function planEvents(options: ReplayOptions): Promise<void> {
  const { limit = Number.POSITIVE_INFINITY } = options;
  const stop = { now: false };
  void untilSignal(process, process.exit).then(() => {
    stop.now = true;
  });
  const source = await openSource(options);
  const functions = openFunctions(options);
  const counts = { events: 0, writes: 0, failed: 0 };
  try {
    for await (const event of source.events) {
      if (stop.now || counts.events >= limit) break;
      const asked = await askAll(event, functions, options.timeout);
      counts.events += 1;
      counts.writes += asked.flatMap(({ planned }) => writesIn(planned)).length;
      counts.failed += asked.filter(({ planned }) => planned.kind === 'failed').length;
      show({ event: headOf(event), asked: asked.map(flat) }, () => textOf(event, asked), options);
    }
  } finally {
    await functions.close();
    await source.close();
  }
  const { events, writes, failed } = counts;
  show(
    { ...counts },
    () => `${countOf(events, 'event')}, ${countOf(writes, 'write')}, ${failed} functions that failed`,
    options,
  );
  if (failed > 0 || stop.now) process.exitCode = exitCodes.failed;
}

async function askAll(event: RecordedEvent, functions: PlanningFunctions, timeout: number): Promise<readonly Asked[]> {
  const outgoing = outgoingOf(event);
  const asked: Asked[] = [];
  for (const name of plannersOf(manifests(), seenByBroker(outgoing))) {
    asked.push({ function: name, planned: await askPlan(await functions.urlOf(name), outgoing, { timeout }) });
  }
  return asked;
}

let read: ReturnType<typeof readManifests> | undefined;

function manifests(): ReturnType<typeof readManifests> {
  read ??= readManifests({ root });
  return read;
}

function writesIn(planned: Planned): readonly string[] {
  return planned.kind === 'planned' ? planned.plans.flatMap(writesOf) : [];
}

function flat({ function: name, planned }: Asked): object {
  return { function: name, ...(planned.kind === 'planned' ? { plans: planned.plans } : { failed: planned.why }) };
}

function textOf(event: RecordedEvent, asked: readonly Asked[]): string {
  const below = asked.flatMap(({ function: name, planned }) => {
    if (planned.kind === 'failed') return [`    ${name} failed: ${planned.why}`];
    const writes = writesIn(planned);
    return writes.length === 0 ? [`    ${name}: nothing`] : writes.map((write) => `    ${name}: ${write}`);
  });
  return [lineOf(event), ...(below.length === 0 ? ['    nobody reconciles for it'] : below)].join('\n');
}
