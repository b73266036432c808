import { mkdirSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { functionCommand } from '../start/command.ts';
import { controllerIn } from '../start/controller-in.ts';
import { type Channel, createChannel } from './broker/channel.ts';
import { type Broker, createBroker } from './broker/ingress.ts';
import { serveIngress } from './broker/ingress-server.ts';
import type { Deliver } from './cloud-event.ts';
import { createFunctions, type Functions } from './functions/functions.ts';
import type { Report } from './hop.ts';
import { deliverIn, here, type Places } from './in-mesh.ts';
import { logFile } from './log-file.ts';
import type { MeshParts } from './mesh-parts.ts';
import type { FunctionSpec } from './mesh-spec.ts';
import { keepDeliveries } from './report-deliveries.ts';
import { traceMesh } from './traces.ts';

/** Milliseconds at the end for what is under way: with the Broker, then in the functions. */
const grace = { broker: 3000, functions: 5000 } as const;

/** The receivers of events, each with its address. */
type Addressed = Pick<Places, 'ingress' | 'services'> & {
  readonly functions: Functions;
  readonly brokers: Map<string, Broker>;
};

/** Starts the functions, asleep but for those that never are, and the ingress of the Brokers. */
export async function startFunctions(
  parts: MeshParts,
  clusterEnv: Readonly<Record<string, string>>,
): Promise<Addressed> {
  const { spec, root, env, idleSeconds, nextPort, report, closers } = parts;
  const brokers = new Map<string, Broker>();
  const known = new Set(spec.brokers.map(({ namespace, name }) => `${namespace}/${name}`));
  const ingress = await serveIngress(brokers, { port: nextPort(), known });
  closers.push(ingress.close);
  const specs = inTableOrder(root, spec.functions).map((one) => atHome(one, ingress.url));
  const functions = await createFunctions(specs, {
    command: (name) => functionCommand(name, root),
    // A line of the log for each event would cost as much as the event, and the screen shows the same.
    env: { LOG_LEVEL: 'warn', REPORT_DELIVERIES: 'header', ...env, ...clusterEnv, ...logOf(parts) },
    report,
    port: nextPort,
    ...(idleSeconds !== undefined && { idleSeconds }),
  });
  closers.push(() => functions.close(grace.functions));
  await Promise.all(specs.map((one) => untilAwake(one, functions.urls)));
  const services = new Set(specs.map(({ namespace, name }) => `${namespace}/${name}`));
  return { ingress: ingress.url, services, functions, brokers };
}

/** Starts Brokers and channels; events that a Broker kept are delivered from now on. */
export function startDelivery(parts: MeshParts, { brokers, ...addressed }: Addressed): Delivery {
  const { spec, closers } = parts;
  const deliveries = keepDeliveries();
  const report: Report = (hop) => {
    deliveries.note(hop);
    parts.report(hop);
  };
  const channels = new Map<string, Channel>();
  const places: Places = { ...addressed, brokers, channels };
  const untraced = deliverIn(places);
  const deliver = traceMesh(parts, untraced);
  const log = spec.functions.find(({ name }) => name === 'event-log');
  if (log !== undefined) deliveries.connect(untraced, { kind: 'function', ...nameIn(log), path: '/event-recorded' });
  closers.push(deliveries.close);
  for (const channel of spec.channels) {
    const running = createChannel(channel, { deliver, report });
    channels.set(`${channel.namespace}/${channel.name}`, running);
    closers.push(() => running.close(grace.broker));
  }
  const brokerDir = openBrokerDir(parts);
  for (const broker of spec.brokers) {
    const { triggers } = spec;
    const running = createBroker(broker, { triggers, deliver, report, dir: brokerDir, graceMs: grace.broker });
    brokers.set(`${broker.namespace}/${broker.name}`, running);
    closers.push(running.close);
  }
  return { places, deliver };
}

function nameIn({ namespace, name }: FunctionSpec): Pick<FunctionSpec, 'namespace' | 'name'> {
  return { namespace, name };
}

interface Delivery {
  readonly places: Places;
  readonly deliver: Deliver;
}

/** Milliseconds to wait for a function that never sleeps; after that the mesh starts without it. */
const longestStart = 10_000;

/** A Knative Service that never sleeps is ready only when it is up: no event comes before that. */
function untilAwake({ name, minScale }: FunctionSpec, urls: ReadonlyMap<string, string>): Promise<void> {
  if (minScale === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const asked = get(`${urls.get(name) ?? ''}/health/readiness`, { agent: false, timeout: longestStart });
    asked.on('response', (answer) => answer.resume().on('close', resolve));
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve());
  });
}

/** The events that a Kafka Broker has accepted are delivered at the next start, even if the objects are gone by then. */
function openBrokerDir({ dir, dataDir }: MeshParts): string {
  const brokerDir = join(dataDir ?? dir, 'broker');
  mkdirSync(brokerDir, { recursive: true });
  return brokerDir;
}

/** Where the local event log is, unless a database has it. */
function logOf({ dir }: MeshParts): Readonly<Record<string, string>> {
  // No event is sent while a mesh is off.
  return { EVENT_LOG: logFile(dir), EVENT_LOG_SLEEPS: 'true' };
}

function inTableOrder(root: string, specs: readonly FunctionSpec[]): readonly FunctionSpec[] {
  if (specs.length === 0) return [];
  const { processNames: names } = controllerIn(root);
  const placeOf = ({ name }: FunctionSpec): number => (names.includes(name) ? names.indexOf(name) : names.length);
  return specs.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** A variable with the address of a Broker in a cluster gets the local one. */
function atHome(spec: FunctionSpec, ingress: string): FunctionSpec {
  const env = Object.entries(spec.env).map(([name, value]) => [name, here(value, ingress)] as const);
  return { ...spec, env: Object.fromEntries(env) };
}
