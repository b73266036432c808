import type { Json, JsonObject } from '../json.ts';

/** A path (see cells.ts), or a function that makes the cell of an object. */
export type Cell = string | ((object: JsonObject, now: number) => Json);

/** The cells of a kind by the header of their column, in lower case. */
export type Cells = Readonly<Record<string, Cell>>;
