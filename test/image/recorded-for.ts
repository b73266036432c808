import { readFileSync } from 'node:fs';
import { functions, type Stem, services } from '../../functions/table.ts';
import type { FunctionRow } from '../../packages/controller/functions/rows.ts';
import { type BuiltEvent, recorded, recordedNames } from '../build/event.ts';

export interface RecordedRequest extends BuiltEvent {
  /** Where it is posted to. */
  readonly path: string;
  readonly status: number;
}

/** What was recorded for the functions of a Service: an event each, or a question. */
export function recordedFor(service: string): readonly RecordedRequest[] {
  const shared = Object.hasOwn(services, service) ? services[service as keyof typeof services] : undefined;
  if (shared !== undefined) return shared.map((stem) => ({ ...eventOf(stem), path: `/${stem}`, status: 204 }));
  const row: FunctionRow = functions[service as Stem];
  if (row.wakes !== 'question') return [{ ...eventOf(service as Stem), path: '/', status: 204 }];
  const { path, headers, body } = JSON.parse(readFileSync(`test/fixtures/questions/${service}/login.json`, 'utf8')) as {
    readonly path: string;
    readonly headers: Record<string, string>;
    readonly body: unknown;
  };
  return [{ path, headers, body: Buffer.from(JSON.stringify(body)), status: 200 }];
}

function eventOf(stem: Stem): BuiltEvent {
  const name = recordedNames.find((each) => each.startsWith(`${stem}/`));
  if (name === undefined) throw new Error(`test/fixtures/events has nothing for ${stem}`);
  return recorded(name);
}
