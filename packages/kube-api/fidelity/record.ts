import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from './run-case.ts';

/** The recorded answers of an area, by the name of the case. */
type Recorded<Row> = Readonly<Record<string, Row>>;

/** What the real API server answered; empty where nothing was recorded. */
export const { recorded, record } = recordIn<readonly Answer[]>(join(import.meta.dirname, 'expected'));

/** A folder with what was recorded of each area in a file of its name. */
export function recordIn<Row>(folder: string): {
  recorded(area: string): Recorded<Row>;
  record(area: string, rows: Recorded<Row>): void;
} {
  const fileOf = (area: string): string => join(folder, `${area}.json`);
  return {
    recorded: (area) => {
      const file = fileOf(area);
      return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Recorded<Row>) : {};
    },
    record: (area, rows) => writeFileSync(fileOf(area), `${readable(rows, '')}\n`),
  };
}

/** JSON with each value on one line where it fits. */
function readable(value: unknown, indent: string): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length < 116) return line;
  const inner = `${indent} `;
  const list = Array.isArray(value);
  const parts = list
    ? value.map((item) => `${inner}${readable(item, inner)}`)
    : Object.entries(value).map(([key, item]) => `${inner}${JSON.stringify(key)}: ${readable(item, inner)}`);
  return `${list ? '[' : '{'}\n${parts.join(',\n')}\n${indent}${list ? ']' : '}'}`;
}
