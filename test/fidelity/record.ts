import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer } from './run-case.ts';

/** The recorded answers of an area, by the name of the case. */
export type Recorded = Readonly<Record<string, readonly Answer[]>>;

const folder = join(import.meta.dirname, 'expected');

/** What the real API server answered; empty where nothing was recorded. */
export function recorded(area: string): Recorded {
  const file = fileOf(area);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Recorded) : {};
}

export function record(area: string, answers: Recorded): void {
  writeFileSync(fileOf(area), `${readable(answers, '')}\n`);
}

function fileOf(area: string): string {
  return join(folder, `${area}.json`);
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
