import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { KubeConfig, PortForward } from '@kubernetes/client-node';
import type { Transport } from '../../packages/controller/cluster/call.ts';
import { createLook } from '../../packages/controller/cluster/look.ts';
import { loadKubeconfig } from '../../packages/controller/cluster/outside.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { type ForwardTarget, forwardTarget, selectorOf } from './forward-target.ts';

/** A port on loopback that leads to a Service of a cluster. */
export interface Forward {
  /** `http://127.0.0.1:<port>`, without a slash at the end. */
  readonly url: string;
  /** The error of the cluster or the Pod on the last connection; undefined if there was none. */
  said(): string | undefined;
  close(): Promise<void>;
}

export interface ForwardOptions {
  readonly kubeconfig: string;
  readonly transport: Transport;
  readonly namespace: string;
  readonly service: string;
  readonly port: number;
}

/**
 * Forwards to a Service as `kubectl port-forward service/…` does: to one ready Pod, by a WebSocket of the Kubernetes
 * client for each connection. Needs the right to create pods/portforward. Throws `unavailable` if nothing answers.
 */
export async function forwardService(options: ForwardOptions): Promise<Forward> {
  const { kubeconfig, namespace } = options;
  return forwardPod({ kubeconfig, namespace, ...(await findTarget(options)) });
}

/** Forwards to a port of a known Pod. */
export async function forwardPod({
  kubeconfig,
  ...target
}: Pick<ForwardOptions, 'kubeconfig' | 'namespace'> & ForwardTarget): Promise<Forward> {
  const client = await loadKubeconfig({ kubeconfig });
  const { PortForward } = await import('@kubernetes/client-node');
  return listen(new PortForward(client satisfies KubeConfig), target);
}

async function findTarget({ transport, namespace, service, port }: ForwardOptions): Promise<ForwardTarget> {
  const look = createLook(transport);
  const found = await look.get({ apiVersion: 'v1', kind: 'Service', plural: 'services' }, { namespace, name: service });
  if (found === undefined) {
    throw new KnudgeError('unavailable', `there is no Service ${namespace}/${service} in the cluster`);
  }
  const labelSelector = selectorOf(found);
  const pods = await look.list({ apiVersion: 'v1', kind: 'Pod', plural: 'pods' }, { namespace, labelSelector });
  return forwardTarget(found, pods, port);
}

async function listen(
  client: PortForward,
  { namespace, pod, port }: ForwardTarget & { readonly namespace: string },
): Promise<Forward> {
  const sockets = new Set<Socket>();
  let said: string | undefined;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    const refused = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        // The channel begins with its port number, which the client cuts off and leaves an empty chunk.
        if (chunk.length > 0) {
          said = chunk.toString().trim();
          socket.destroy();
        }
        done();
      },
    });
    client.portForward(namespace, pod, [port], socket, refused, socket).then(
      (answered) => {
        const web = typeof answered === 'function' ? answered() : answered;
        if (web === null) return;
        web.onclose = () => socket.end();
        // A proper close would wait half a minute for the other side's.
        socket.on('close', () => web.terminate());
        if (socket.destroyed) web.terminate();
      },
      (error: unknown) => {
        said = `port-forward to Pod ${namespace}/${pod}: ${messageOf(error)}`;
        socket.destroy();
      },
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    said: () => said,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A WebSocket fails with an event, which is not an Error but has a message. */
function messageOf(error: unknown): string {
  const { message } = typeof error === 'object' && error !== null ? (error as { readonly message?: unknown }) : {};
  return typeof message === 'string' && message !== '' ? message : 'the connection broke';
}
