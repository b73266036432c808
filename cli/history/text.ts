import type { History, Version } from '../../packages/event-log/api/history.ts';
import type { Style } from '../../packages/mesh/screen.ts';
import { diffLines } from '../diff-lines.ts';
import { shortType } from '../filters.ts';
import { printable } from '../table.ts';
import { countOf, objectOf, timeOf } from '../words.ts';
import type { Happened } from './events.ts';

export interface TextParts {
  /** Undefined where the cluster could not be asked. */
  readonly happened: readonly Happened[] | undefined;
  /** The name of the log. */
  readonly title: string;
  readonly style: Style;
}

/** Versions and Kubernetes Events in one line of time, newest first. */
export function historyText({ object, versions, next }: History, { happened, title, style }: TextParts): string {
  const entries = [
    ...versions.map((version) => ({ at: Date.parse(version.event.time), lines: versionLines(version, style) })),
    ...(happened ?? []).map((one) => ({ at: Date.parse(one.time), lines: [happenedLine(one, style)] })),
  ].sort((one, other) => other.at - one.at);
  const more = next === undefined ? '' : `; older ones: the same with --before ${next.before}`;
  const count = `${countOf(versions.length, 'event')} about ${objectOf(object)} in ${title}${more}`;
  const away = happened === undefined ? [style.dim('Without Kubernetes Events: no cluster answers.')] : [];
  return [...entries.flatMap(({ lines }) => [...lines, '']), style.dim(count), ...away].join('\n');
}

function versionLines({ event, resourceVersion, by, changes, causes, deliveries }: Version, style: Style): string[] {
  const { dim } = style;
  const version = resourceVersion === undefined ? '' : `, version ${resourceVersion}`;
  const because = causes.map(({ function: name, write, event: of, by: how }) => {
    const what = how === 'id' ? 'asked for' : `${name ?? ''}: ${write?.do ?? 'write'}`;
    return `  because of ${of === undefined ? 'an event that is gone' : `event ${of.seq} ${objectOf(of)}`} (${what})`;
  });
  const did = deliveries.map(
    ({ function: name, outcome, writes, ms }) => `  ${name}: ${outcome}, ${countOf(writes, 'write')}, ${ms} ms`,
  );
  const who =
    by === undefined ? [] : [`  by ${printable(by.manager)}${by.at === undefined ? '' : ` at ${timeOf(by.at)}`}`];
  const head = `event ${event.seq} ${timeOf(event.time)} ${printable(shortType(event.type))}${printable(version)}`;
  return [
    style.odd(head),
    ...who,
    ...because.map(printableLine),
    ...diffLines(changes, style, '  '),
    ...did.map((line) => dim(printableLine(line))),
  ];
}

function happenedLine({ time, type, reason, note }: Happened, { odd }: Style): string {
  const line = printable(`${reason}: ${note}`);
  return `${timeOf(time)} Kubernetes Event ${type === 'Warning' ? odd(line) : line}`;
}

/** Keeps the indent. */
function printableLine(line: string): string {
  return `  ${printable(line.trim())}`;
}
