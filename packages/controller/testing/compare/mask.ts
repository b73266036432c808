import type { KubeObject } from '../../domain/kube-object.ts';
import type { Names } from './names.ts';

/** Something that may differ between two honest runs of one scenario. What a mask hides is not compared. */
export interface Mask {
  readonly hides: string;
  readonly why: string;
  /** Whole objects. */
  readonly object?: (object: KubeObject) => boolean;
  /** What stands under this path, from the top of an object that fits; undefined takes it away. */
  readonly paths?: readonly (readonly string[])[];
  /** What stands under a key of this name, wherever it is. */
  readonly keys?: readonly string[];
  /** Lists whose order says nothing, by the key they stand under; a text under such a key is JSON with such lists in it. */
  readonly lists?: readonly string[];
  readonly only?: (object: KubeObject) => boolean;
  readonly shown?: (value: unknown) => unknown;
  /** Pieces of any text. */
  readonly text?: (text: string, names: Names) => string;
}
