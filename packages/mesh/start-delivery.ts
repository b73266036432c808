import { mkdirSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { processNames } from '../../functions/table.ts';
import { type Channel, createChannel } from './broker/channel.ts';
import { type Broker, createBroker } from './broker/ingress.ts';
import { serveIngress } from './broker/ingress-server.ts';
import type { Deliver } from './cloud-event.ts';
import { createFunctions } from './functions/functions.ts';
import { deliverIn, here, type Places } from './in-mesh.ts';
import type { MeshParts } from './mesh-parts.ts';
import type { FunctionSpec } from './mesh-spec.ts';

/** Milliseconds for what is under way at the end: with the Broker, then in the functions. */
const grace = { broker: 3000, functions: 5000 } as const;

/** What events go to, each with its address. */
type Addressed = Pick<Places, 'ingress' | 'services' | 'functions'> & { readonly brokers: Map<string, Broker> };

/** Functions, asleep but for those that never are, and the way in of the Brokers. */
export async function startFunctions(
  parts: MeshParts,
  clusterEnv: Readonly<Record<string, string>>,
): Promise<Addressed> {
  const { spec, root, env, idleSeconds, nextPort, report, closers } = parts;
  const brokers = new Map<string, Broker>();
  const known = new Set(spec.brokers.map(({ namespace, name }) => `${namespace}/${name}`));
  const ingress = await serveIngress(brokers, { port: nextPort(), known });
  closers.push(ingress.close);
  const specs = inTableOrder(spec.functions).map((one) => atHome(one, ingress.url));
  const functions = await createFunctions(specs, {
    command: (name) => [process.execPath, join(root, 'functions/start/function.ts'), name],
    // A line of the log for each event would cost as much as the event, and the screen tells the same.
    env: { LOG_LEVEL: 'warn', ...env, ...clusterEnv, ...logOf(parts) },
    report,
    port: nextPort,
    ...(idleSeconds !== undefined && { idleSeconds }),
  });
  closers.push(() => functions.close(grace.functions));
  await Promise.all(specs.map((one) => untilAwake(one, functions.urls)));
  const services = new Set(specs.map(({ namespace, name }) => `${namespace}/${name}`));
  return { ingress: ingress.url, services, functions, brokers };
}

/** Brokers and channels: what one has kept is under way from now on. */
export function startDelivery(parts: MeshParts, { brokers, ...addressed }: Addressed): Delivery {
  const { spec, report, closers } = parts;
  const channels = new Map<string, Channel>();
  const places: Places = { ...addressed, brokers, channels };
  const deliver = deliverIn(places);
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

interface Delivery {
  readonly places: Places;
  readonly deliver: Deliver;
}

/** Milliseconds that one which never sleeps gets to be up; after that the mesh starts without it. */
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

/** What a Kafka Broker has accepted it delivers at the next start, also where the objects are gone by then. */
function openBrokerDir({ dir, dataDir }: MeshParts): string {
  const brokerDir = join(dataDir ?? dir, 'broker');
  mkdirSync(brokerDir, { recursive: true });
  return brokerDir;
}

/** A database that the environment names is used here too. */
function logOf({ dir }: MeshParts): Readonly<Record<string, string>> {
  // While a mesh is off nothing sends events.
  return { EVENT_LOG: join(dir, 'events.db'), EVENT_LOG_SLEEPS: 'true' };
}

function inTableOrder(specs: readonly FunctionSpec[]): readonly FunctionSpec[] {
  const placeOf = ({ name }: FunctionSpec): number =>
    processNames.includes(name) ? processNames.indexOf(name) : processNames.length;
  return specs.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** A variable that names a Broker in a cluster names the one here. */
function atHome(spec: FunctionSpec, ingress: string): FunctionSpec {
  const env = Object.entries(spec.env).map(([name, value]) => [name, here(value, ingress)] as const);
  return { ...spec, env: Object.fromEntries(env) };
}
