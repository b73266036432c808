import { resolve } from 'node:path';
import type { Outgoing } from '../../packages/controller/domain/change.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { type Instance, startInstance } from '../../packages/mesh/functions/instance.ts';
import { plannersOf } from '../../packages/mesh/planners.ts';
import { addressAmong } from '../../packages/mesh/served-at.ts';
import { readState } from '../../packages/mesh/state.ts';
import { functionCommand } from '../../packages/start/command.ts';
import { controllerIn } from '../../packages/start/controller-in.ts';
import { root } from '../about.ts';
import { manifests } from '../manifests.ts';
import type { LogOptions } from '../open-log.ts';
import { seenByBroker } from './ask.ts';
import { type TriggersOf, triggersNow } from './triggers.ts';

/** Functions that can be asked for plans. */
export interface PlanningFunctions {
  /** The names of those that the Triggers wake for an event now and that make plans. */
  plannersFor(event: Outgoing): Promise<readonly string[]>;
  /** The address of one function. Throws a KnudgeError if it has none. */
  urlOf(stem: string): Promise<string>;
  close(): Promise<void>;
}

/** Milliseconds in which a function must end after its signal. */
const grace = 3000;

/** The functions of a mesh; for a cluster, processes on this machine that use the kubeconfig and end with `close`. */
export function openFunctions(options: LogOptions): PlanningFunctions {
  const { dir, kubeconfig, namespace } = options;
  const addressed = kubeconfig === undefined ? ofMesh(resolve(dir)) : ofThisMachine(resolve(kubeconfig), namespace);
  return { ...addressed, plannersFor: plannersNow(options) };
}

/** Asks for the names of the functions that the Triggers wake for an event now and that make plans. */
export function plannersNow(of: TriggersOf): PlanningFunctions['plannersFor'] {
  const triggers = triggersNow(of);
  const { functions } = controllerIn(root);
  return async (event) => plannersOf({ triggers: await triggers() }, seenByBroker(event), functions);
}

type Addressed = Omit<PlanningFunctions, 'plannersFor'>;

function ofMesh(dir: string): Addressed {
  // Without a mesh it fails here, and not for each event.
  readState(dir);
  const urlOf = async (stem: string): Promise<string> => {
    const { functions } = readState(dir);
    const found = addressAmong(functions, stem, manifests());
    if (found !== undefined) return new URL(found.path, found.url).href;
    const all = Object.keys(functions).join(', ');
    throw new KnudgeError('misuse', `The mesh in ${dir} has no function ${stem}: ${all}`);
  };
  return { urlOf, close: async () => {} };
}

function ofThisMachine(kubeconfig: string, namespace: string): Addressed {
  const running = new Map<string, Instance>();
  const env = {
    ...environment(process.env),
    // Pods cannot be reached from here, so no tunnel is asked.
    KUBECONFIG: kubeconfig,
    CONTROLLER_NAMESPACE: namespace,
    LOG_LEVEL: 'warn',
    TUNNEL_TIMEOUT_MS: '0',
  };
  const start = (stem: string): Instance => {
    const instance = startInstance({ command: functionCommand(stem, root), env, onLine: () => {} });
    running.set(stem, instance);
    // The next plan starts another one.
    void instance.exited.then(() => running.get(stem) === instance && running.delete(stem));
    return instance;
  };
  return {
    urlOf: async (stem) => {
      const instance = running.get(stem) ?? start(stem);
      const port = await instance.listening.catch((cause: unknown) => {
        throw new KnudgeError('unavailable', `${stem} does not start here: ${(cause as Error).message}`, { cause });
      });
      return `http://127.0.0.1:${port}`;
    },
    close: async () => {
      await Promise.all([...running.values()].map((instance) => instance.leave(grace)));
    },
  };
}

/** The environment without settings that are meant for functions elsewhere. */
function environment(all: NodeJS.ProcessEnv): Record<string, string> {
  const others = /^(KUBERNETES_.*|API_SERVER_.*|PORT|K_.*|npm_.*)$/;
  return Object.fromEntries(
    Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined && !others.test(pair[0])),
  );
}
