/** What the files of one folder may import besides each other. */
export interface Direction {
  readonly folder: string;
  readonly may: readonly string[];
  /** Packages and Node's modules; `node:*` stands for every module of Node. */
  readonly packages: readonly string[];
  /** The message of the linter to a file that imports something else. */
  readonly because: string;
}
