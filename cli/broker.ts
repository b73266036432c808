import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { createSender } from '../packages/controller/broker/send.ts';
import type { Outgoing } from '../packages/controller/domain/change.ts';
import { asKnudgeError, KnudgeError } from '../packages/controller/domain/errors.ts';
import type { Sender } from '../packages/controller/domain/ports.ts';
import { readManifests } from '../packages/mesh/manifests/read-manifests.ts';
import { readState } from '../packages/mesh/state.ts';
import { root, version } from './about.ts';
import type { BrokerForward } from './cluster/forward-broker.ts';
import { type Common, dirOption, httpAddress, kubeconfigOption, namespaceOption, seconds } from './leaf.ts';

/** The options that say where the Broker is. */
export interface BrokerOptions extends Common {
  readonly broker?: string;
  readonly kubeconfig?: string;
  readonly namespace: string;
  readonly dir: string;
  readonly timeout: number;
}

/** The CloudEvents source of events that a person sends from the command line. */
export const source = '/knudge/cli';

/** Adds the options that say where the Broker is. */
export function withBroker(command: Command): Command {
  return command
    .addOption(dirOption())
    .addOption(kubeconfigOption())
    .addOption(namespaceOption())
    .addOption(brokerOption())
    .addOption(timeoutOption());
}

export function brokerOption(): Option {
  return new Option('--broker <url>', "a Broker's ingress, wherever it is").argParser(httpAddress);
}

export function timeoutOption(): Option {
  return new Option('--timeout <seconds>', 'for the answer of the Broker').argParser(seconds).default(60);
}

/** Sends an event that a person asked for to the Broker; returns the event and the Broker's name. */
export async function sendToBroker(
  event: Pick<Outgoing, 'type' | 'extensions'>,
  options: BrokerOptions,
): Promise<{ readonly id: string; readonly broker: string }> {
  const outgoing: Outgoing = { ...event, id: randomUUID(), source, time: new Date().toISOString() };
  const broker = await openBroker(options);
  try {
    await broker.send(outgoing);
    return { id: outgoing.id, broker: broker.title };
  } finally {
    await broker.close();
  }
}

export interface OpenBroker extends Sender {
  /** The name of the Broker in messages. */
  readonly title: string;
  close(): Promise<void>;
}

/** Opens the Broker of a mesh, of a cluster (by a port-forward) or at an address; `waits` are the pauses before further tries. */
export async function openBroker(options: BrokerOptions, waits?: readonly number[]): Promise<OpenBroker> {
  const place = await findBroker(options);
  const sender = createSender({
    sink: place.url,
    timeoutMs: options.timeout * 1000,
    ...(waits && { waits }),
    ...(place.sender && { token: place.sender.token }),
  });
  const title = place.sender === undefined ? place.title : `${place.title}, asked as ${place.sender.name}`;
  const send: Sender['send'] = async (event) => {
    try {
      await sender.send(event);
    } catch (thrown) {
      const { code, message, retryAfterSeconds } = asKnudgeError(thrown);
      const details = { cause: thrown, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
      throw new KnudgeError(code, `${title}: ${place.said() ?? message}`, details);
    }
  };
  const close = async (): Promise<void> => {
    sender.close();
    await place.close();
  };
  return { send, title: place.title, close };
}

interface Place {
  readonly url: string;
  /** The name of the Broker in messages. */
  readonly title: string;
  said(): string | undefined;
  readonly sender?: BrokerForward['sender'];
  close(): Promise<void>;
}

async function findBroker({ broker, kubeconfig, namespace, dir }: BrokerOptions): Promise<Place> {
  const local = { said: () => undefined, close: async () => {} };
  if (broker !== undefined) return { ...local, url: broker, title: broker };
  if (kubeconfig === undefined) {
    const { broker: url } = readState(resolve(dir));
    return { ...local, url, title: url };
  }
  const [name] = readManifests({ root }).brokers.map((one) => one.name);
  // Imported here because it loads the Kubernetes client.
  const { forwardBroker } = await import('./cluster/forward-broker.ts');
  const forward = await forwardBroker({ kubeconfig: resolve(kubeconfig), namespace, name: name ?? '', version });
  return { ...forward, title: `Broker ${namespace}/${name}` };
}
