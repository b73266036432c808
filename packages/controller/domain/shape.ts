/** How the API server merges a value of some kind, besides its type: what its schema says with `x-kubernetes-…`. */
export interface Shape {
  /** Of a list: the fields that distinguish its items, as in a set not one. A list without keys belongs to one writer as a whole. */
  readonly keys?: readonly string[];
  /** Of a map: it belongs to one writer as a whole, so a key more is another selection. */
  readonly isWhole?: true;
  /** Of a number or a switch: the value that the API server does not store (`omitempty`). */
  readonly unstored?: 0 | false;
  /** Of a struct, or of the items of a list: the shapes of the fields that have one, or the name of a struct of Kubernetes. */
  readonly of?: string | Fields;
}

/** Shapes by field; `*` is any other field. A name is that of a struct of Kubernetes. */
export type Fields = Readonly<Record<string, Shape | string>>;
