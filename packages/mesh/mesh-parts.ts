import type { Report } from './hop.ts';
import type { MeshSpec } from './mesh-spec.ts';

export interface MeshOptions {
  /** The folder with crds/, eventing/, deploy/ and the sources. */
  readonly root: string;
  /** For everything that the mesh writes. */
  readonly dir: string;
  /** Where the embedded API keeps its objects, and a Kafka Broker its events; absent: objects are gone with the mesh, events stay in `dir`. */
  readonly dataDir?: string;
  /** A cluster that somebody has, instead of the embedded API. */
  readonly kubeconfig?: string;
  readonly overlay?: string;
  readonly idleSeconds?: number;
  /** Of the API server; Broker and functions have the next ones. 0: any free ones. */
  readonly firstPort: number;
  /** For the functions. */
  readonly env: Readonly<Record<string, string>>;
  readonly version: string;
  readonly report: Report;
}

/** What was started, to be closed in the opposite order. */
export type Closers = (() => Promise<void> | void)[];

/** What the parts of the mesh are started with. */
export interface MeshParts extends MeshOptions {
  readonly spec: MeshSpec;
  readonly nextPort: () => number;
  readonly closers: Closers;
}
