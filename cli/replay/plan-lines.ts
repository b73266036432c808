import { createHash } from 'node:crypto';
import { type PlannedWrite, plannedWrites } from '../../packages/event-log/replay/planned-changes.ts';
import { type ObjectPlan, writesOf } from '../../packages/event-log/replay/plans.ts';
import { oneLine, type Style } from '../../packages/mesh/screen.ts';
import { diffLines } from '../diff-lines.ts';
import { countOf } from '../words.ts';

const indent = '      ';

/** Lines of one write. */
const most = 100;

/** Writes that are remembered. */
const mostKnown = 10_000;

/** Prints plans for people: what a write would change once, as several events about an object plan the same for it. */
export class PlanPrinter {
  readonly #style: Style;
  /** By its line: the event below which its changes stand, and their hash. */
  readonly #known = new Map<string, { readonly event: number; readonly hash: string }>();

  constructor(style: Style) {
    this.#style = style;
  }

  /** The lines of what a function would write for one object because of the event at this place. */
  lines(one: ObjectPlan, name: string, event: number): readonly string[] {
    const writes = plannedWrites(one);
    return writesOf(one).flatMap((write, index) => {
      const changes = [...refusalLines(writes[index], this.#style), ...changeLines(writes[index], this.#style)];
      const before = changes.length === 0 ? undefined : this.#before(write, changes, event);
      const line = `    ${name}: ${write}`;
      return before === undefined ? [line, ...changes] : [`${line}, as for event ${before}`];
    });
  }

  /** The event below which the same changes stand; else they are known from now on. */
  #before(write: string, changes: readonly string[], event: number): number | undefined {
    const hash = hashOf(changes);
    const known = this.#known.get(write);
    if (known?.hash === hash) return known.event;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= mostKnown) this.#known.delete(oldest);
    this.#known.set(write, { event, hash });
    return undefined;
  }
}

/** The same for changes that differ in times alone: each plan names its own as the time of a condition. */
function hashOf(lines: readonly string[]): string {
  const text = lines.join('\n').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'now');
  return createHash('sha256').update(text).digest('base64');
}

function refusalLines(write: PlannedWrite | undefined, style: Style): readonly string[] {
  return write?.refusal === undefined
    ? []
    : [style.odd(`${indent}the API server refuses to try it: ${oneLine(write.refusal)}`)];
}

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
