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

/** How many Brokers the scenes share: each event is looked at for every Trigger of its Broker. */
const sharedBrokers = 5;

/** The Triggers of a case, and their Broker. Cases that want the same ones share them: a Trigger takes a second or more to be there. */
export interface Scene {
  readonly id: string;
  readonly broker: string;
  readonly first: Row<BrokerCase>;
}

/** The scene of each of these cases. */
export function scenesOf(rows: readonly Row[]): ReadonlyMap<Row, Scene> {
  const scenes = new Map<string, Scene>();
  return new Map(
    rows.filter(isBrokerRow).map((row) => {
      const { own, triggers = {} } = row.one;
      const key = own === undefined ? JSON.stringify(triggers) : row.id;
      const number = scenes.size;
      const broker = own === undefined ? `shared-${number % sharedBrokers}` : `own-${row.id}`;
      const scene = scenes.get(key) ?? { id: `scene${number}`, broker, first: row };
      scenes.set(key, scene);
      return [row, scene];
    }),
  );
}
