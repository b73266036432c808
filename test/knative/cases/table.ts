import type { BrokerCase, Case, PingCase, SourceCase } from './case.ts';

/** A case with its area and an id that no other case has, by which its events are told apart. */
export interface Row<One extends Case = Case> {
  readonly area: string;
  readonly id: string;
  readonly one: One;
}

/** The rows of these areas, in order. */
export function rowsOf(areas: Readonly<Record<string, readonly Case[]>>): readonly Row[] {
  return Object.entries(areas).flatMap(([area, cases]) =>
    cases.map((one, index) => ({ area, id: `${area}${index}`, one })),
  );
}

export function isBrokerRow(row: Row): row is Row<BrokerCase> {
  return row.one.kind === 'broker';
}

export function isSourceRow(row: Row): row is Row<SourceCase> {
  return row.one.kind === 'source';
}

export function isPingRow(row: Row): row is Row<PingCase> {
  return row.one.kind === 'ping';
}

/** How many Brokers the cases share: each event is looked at for every Trigger of its Broker. */
const sharedBrokers = 10;

export function brokerOf({ id, one }: Row<BrokerCase>): string {
  if (one.own !== undefined) return `own-${id}`;
  const number = [...id].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % sharedBrokers;
  return `shared-${number}`;
}
