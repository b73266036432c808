import type { Form, reader } from './forms.ts';

/** A variable of the environment that only one controller reads. */
export interface Setting<Value = unknown> {
  /** The text that stands for it where it is not set. */
  readonly default: string;
  readonly form: Form<Value>;
}

/** A controller's own variables, by their names. */
export type Settings = Readonly<Record<string, Setting>>;

/** What such variables say. */
export type ValuesOf<Own extends Settings> = {
  readonly [Name in keyof Own]: Own[Name] extends Setting<infer Value> ? Value : never;
};

/** Reads a controller's own variables as those of the engine are read. */
export function readSettings<Own extends Settings>(own: Own, read: ReturnType<typeof reader>): ValuesOf<Own> {
  const values = Object.entries(own).map(([name, { default: otherwise, form }]) => [name, read(name, otherwise, form)]);
  return Object.fromEntries(values) as ValuesOf<Own>;
}
