import type { RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import { type PlannedWrite, plannedWrites } from '../../packages/event-log/replay/planned-changes.ts';
import { type ObjectPlan, writesOf } from '../../packages/event-log/replay/plans.ts';
import type { Style } from '../../packages/mesh/screen.ts';
import { diffLines } from '../diff-lines.ts';
import { exitCodes } from '../exit-codes.ts';
import { show } from '../show.ts';
import { untilSignal } from '../until-signal.ts';
import { countOf } from '../words.ts';
import type { Planned } from './ask.ts';
import { type Asked, askAll, flat } from './ask-all.ts';
import { openFunctions } from './functions.ts';
import { headOf, lineOf } from './list.ts';
import type { ReplayOptions } from './options.ts';
import { openSource } from './source.ts';

/** `knudge replay --plan`: prints what each function that the Triggers would wake would write now, and what that would change. */
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
      show({ event: headOf(event), asked: asked.map(flat) }, (style) => textOf(event, asked, style), options);
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

function writesIn(planned: Planned): readonly string[] {
  return planned.kind === 'planned' ? planned.plans.flatMap(writesOf) : [];
}

function textOf(event: RecordedEvent, asked: readonly Asked[], style: Style): string {
  const below = asked.flatMap(({ function: name, planned }) => {
    if (planned.kind === 'failed') return [`    ${name} failed: ${planned.why}`];
    const lines = planned.plans.flatMap((one) => planLines(one, name, style));
    return lines.length === 0 ? [`    ${name}: nothing`] : lines;
  });
  return [lineOf(event), ...(below.length === 0 ? ['    no function reconciles for it'] : below)].join('\n');
}

function planLines(one: ObjectPlan, name: string, style: Style): readonly string[] {
  const writes = plannedWrites(one);
  return writesOf(one).flatMap((write, index) => [`    ${name}: ${write}`, ...changeLines(writes[index], style)]);
}

const indent = '      ';

/** Lines of one write. */
const most = 100;

function changeLines(write: PlannedWrite | undefined, style: Style): readonly string[] {
  if (write?.changes === undefined) return [];
  const { propagation, changes } = write;
  if (propagation === 'Background') return [`${indent}it goes, and after it what it owns`];
  if (propagation === 'Foreground') return [`${indent}it goes when all that it owns has gone`];
  const lines = diffLines(changes, style, indent);
  if (lines.length === 0) return [style.dim(`${indent}nothing differs`)];
  const more = lines.length - most;
  return more <= 0 ? lines : [...lines.slice(0, most), style.dim(`${indent}… ${countOf(more, 'line')} more`)];
}
