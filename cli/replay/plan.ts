import type { RecordedEvent } from '../../packages/controller/domain/event-log.ts';
import { writesOf } from '../../packages/event-log/replay/plans.ts';
import { exitCodes } from '../exit-codes.ts';
import { show, styleOf } from '../show.ts';
import { untilSignal } from '../until-signal.ts';
import { countOf } from '../words.ts';
import type { Planned } from './ask.ts';
import { type Asked, askAll } from './ask-all.ts';
import { flat } from './flat.ts';
import { openFunctions } from './functions.ts';
import { headOf, lineOf } from './list.ts';
import type { ReplayOptions } from './options.ts';
import { PlanPrinter } from './plan-lines.ts';
import { openSource } from './source.ts';

/** `knudge replay --plan`: prints what each function that the Triggers would wake would write now, and what that would change; the same change once. */
export async function planEvents(options: ReplayOptions): Promise<void> {
  const { limit = Number.POSITIVE_INFINITY } = options;
  const stop = { now: false };
  void untilSignal(process, process.exit).then(() => {
    stop.now = true;
  });
  const source = await openSource(options);
  const functions = openFunctions(options);
  const printer = new PlanPrinter(styleOf(process.stdout, process.env));
  const counts = { events: 0, writes: 0, failed: 0, withoutFunction: 0 };
  try {
    for await (const event of source.events) {
      if (stop.now || counts.events >= limit) break;
      const asked = await askAll(event, functions, options.timeout);
      counts.events += 1;
      counts.writes += asked.flatMap(({ planned }) => writesIn(planned)).length;
      if (asked.length === 0) counts.withoutFunction += 1;
      counts.failed += asked.filter(({ planned }) => planned.kind === 'failed').length;
      show({ event: headOf(event), asked: flat(asked) }, () => textOf(event, asked, printer), options);
    }
  } finally {
    await functions.close();
    await source.close();
  }
  show({ ...counts }, () => closingLine(counts), options);
  if (counts.failed > 0 || stop.now) process.exitCode = exitCodes.failed;
}

function closingLine({ events, writes, failed, withoutFunction }: Readonly<Record<Count, number>>): string {
  const line = `${countOf(events, 'event')}, ${countOf(writes, 'write')}, ${failed} functions that failed`;
  return withoutFunction === 0 ? line : `${line}; no function reconciles for ${withoutFunction} of the events`;
}

type Count = 'events' | 'writes' | 'failed' | 'withoutFunction';

function writesIn(planned: Planned): readonly string[] {
  return planned.kind === 'planned' ? planned.plans.flatMap(writesOf) : [];
}

function textOf(event: RecordedEvent, asked: readonly Asked[], printer: PlanPrinter): string {
  const below = asked.flatMap(({ function: name, planned }) => {
    if (planned.kind === 'failed') return [`    ${name} failed: ${planned.why}`];
    const lines = planned.plans.flatMap((one) => printer.lines(one, name, event.seq));
    return lines.length === 0 ? [`    ${name}: nothing`] : lines;
  });
  return [lineOf(event), ...(below.length === 0 ? ['    no function reconciles for it'] : below)].join('\n');
}
