import type { Brief, Cause } from '../../packages/event-log/api/causes.ts';
import type { Became, Lineage } from '../../packages/event-log/api/lineage.ts';
import type { Style } from '../../packages/mesh/screen.ts';
import { shortType } from '../filters.ts';
import { printable } from '../table.ts';
import { countOf, objectOf } from '../words.ts';

type Write = NonNullable<Cause['write']>;

/** What an event came of, and what came of it, as comments behind the YAML of the event. */
export function chainText({ causes, deliveries, cut }: Lineage, { dim, odd }: Style): string {
  const up =
    causes.length === 0 ? [dim('  from outside, or no function has reported it')] : causes.flatMap(causeLines(1));
  const down = deliveries.length === 0 ? [dim('  nothing was reported')] : deliveries.flatMap(becameLines(1));
  const more = cut === true ? [odd('There is more: show an event further up or down.')] : [];
  return ['What it came of:', ...up, 'What became of it:', ...down, ...more].map((line) => `# ${line}`).join('\n');
}

function causeLines(depth: number): (cause: Cause) => readonly string[] {
  return ({ by, function: name, write, event, causes }) => {
    const how = by === 'id' ? 'was asked for' : `${name ?? ''}: ${write === undefined ? 'a write' : writeOf(write)}`;
    const guess = notes[by] ?? '';
    const of = event === undefined ? 'an event that the log no longer has' : nameOf(event);
    return [`${'  '.repeat(depth)}${printable(`${of} → ${how}${guess}`)}`, ...causes.flatMap(causeLines(depth + 1))];
  };
}

const notes: Partial<Readonly<Record<Cause['by'], string>>> = {
  name: ' (by name and time: a guess)',
  object: ' (somebody else has changed it since, or the report is missing)',
};

function becameLines(depth: number): (became: Became) => readonly string[] {
  const indent = '  '.repeat(depth);
  return ({
    function: name,
    attempt = 1,
    status,
    outcome,
    reads,
    writes,
    inVain,
    ms,
    coldMs,
    traceId,
    made,
    unlisted,
  }) => {
    const tries = attempt > 1 ? `, try ${attempt}` : '';
    const cold = coldMs === undefined ? '' : `, cold ${coldMs} ms`;
    const trace = traceId === undefined ? '' : `, trace ${printable(traceId)}`;
    const vain = inVain === undefined ? '' : ` (${inVain} more in vain)`;
    const counts = `${countOf(reads, 'read')}, ${countOf(writes, 'write')}${vain}, ${ms} ms${cold}${tries}${trace}`;
    const lines = made.flatMap(({ write, events }) => [
      `${indent}  ${printable(writeOf(write))}`,
      ...events.flatMap((one) => [
        `${indent}    ${printable(nameOf(one))}`,
        ...one.deliveries.flatMap(becameLines(depth + 3)),
      ]),
    ]);
    const more = unlisted === undefined ? [] : [`${indent}  and ${countOf(unlisted, 'more write')}`];
    return [
      `${indent}${printable(`${name}: ${outcome}, ${status === 0 ? 'no answer' : status}`)}, ${counts}`,
      ...lines,
      ...more,
    ];
  };
}

function writeOf({ shared, ...write }: Write): string {
  return `${write.do} ${objectOf(write)}${shared === true ? ' (several events shared the run)' : ''}`;
}

function nameOf(event: Brief): string {
  return `${event.seq} ${objectOf(event)} ${shortType(event.type)}`;
}
