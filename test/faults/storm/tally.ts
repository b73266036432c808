/** What has happened in storms, counted by its name. */
export interface Tally {
  readonly operations: Record<string, number>;
  /** Operations that the API server refused, and those for which there was nothing to do. */
  readonly refused: number;
  readonly idle: number;
  readonly troubles: Record<string, number>;
  readonly events: Record<'sent' | 'lost' | 'doubled' | 'late' | 'belated' | 'overtaken' | 'as-v1', number>;
  readonly kills: number;
  readonly otherVersion: number;
  readonly turns: number;
  readonly calls: number;
  readonly simulatedMs: number;
}

export type MutableTally = { -readonly [Key in keyof Tally]: Tally[Key] };

export function emptyTally(): MutableTally {
  return {
    operations: {},
    refused: 0,
    idle: 0,
    troubles: {},
    events: { sent: 0, lost: 0, doubled: 0, late: 0, belated: 0, overtaken: 0, 'as-v1': 0 },
    kills: 0,
    otherVersion: 0,
    turns: 0,
    calls: 0,
    simulatedMs: 0,
  };
}

export function count(record: Record<string, number>, name: string, more = 1): void {
  record[name] = (record[name] ?? 0) + more;
}

/** Adds what one storm counted to what all have. */
export function addTo(all: MutableTally, one: Tally): void {
  for (const key of ['operations', 'troubles', 'events'] as const) {
    for (const [name, number] of Object.entries(one[key])) count(all[key], name, number);
  }
  for (const key of ['refused', 'idle', 'kills', 'otherVersion', 'turns', 'calls', 'simulatedMs'] as const) {
    all[key] += one[key];
  }
}

export const total = (record: Readonly<Record<string, number>>): number =>
  Object.values(record).reduce((sum, number) => sum + number, 0);
