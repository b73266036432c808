import type { OwnAnswer } from './console/own-answer.ts';
import type { Report } from './hop.ts';
import type { MeshSpec } from './mesh-spec.ts';
import type { Programs } from './pods/program.ts';

/** What a mesh is started from. */
export interface MeshOptions {
  /** The folder with crds/, eventing/, deploy/ and the sources. */
  readonly root: string;
  /** The folder for everything that the mesh writes. */
  readonly dir: string;
  /** Where the embedded API's objects and a Kafka Broker's events are; if absent, objects are lost at the end, events stay in `dir`. */
  readonly dataDir?: string;
  /** A cluster that exists, in place of the embedded API. */
  readonly kubeconfig?: string;
  /** A folder of deploy/overlays by its name. */
  readonly overlay?: string;
  /** How long a function waits for a request before it sleeps; if absent, what its manifest says. */
  readonly idleSeconds?: number;
  /** The API server's port; Broker and functions have the next ones. 0: any free ports. */
  readonly firstPort: number;
  /** Starts no console. */
  readonly noConsole?: boolean;
  /** What the console answers beside the event log. */
  readonly answers?: readonly OwnAnswer[];
  /** The environment of the functions. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether to follow changes of manifests, Triggers, sources and code while it runs. */
  readonly reload?: boolean;
  /** Programs by the names of images: Pods that consist of them run as processes. If absent, no Pod runs anything. */
  readonly programs?: Programs;
  /** Of Knudge, for the User-Agent. */
  readonly version: string;
  /** Called with each thing that a person may want to see. */
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
