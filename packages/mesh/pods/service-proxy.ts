import { connect, createServer, type Server, type Socket } from 'node:net';
import type { KubeObject } from '../../controller/domain/kube-object.ts';
import { podHere, serviceHere } from './addresses.ts';

interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
}

export interface Service extends KubeObject {
  readonly spec?: { readonly clusterIP?: string; readonly type?: string; readonly ports?: readonly ServicePort[] };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly object[] } };
}

export interface Slice extends KubeObject {
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[] | null;
  readonly endpoints?:
    | readonly { readonly addresses: readonly string[]; readonly conditions?: { readonly ready?: boolean } }[]
    | null;
}

export interface ServiceProxy {
  /** Opens and closes what changed. */
  set(service: Service, isGone: boolean): void;
  close(): void;
}

interface ServiceProxyParts {
  /** The EndpointSlices of a Service. */
  readonly slicesOf: (namespace: string, name: string) => readonly Slice[];
  /** Called with a port that cannot be opened. */
  readonly failed: (what: string) => void;
}

/**
 * Stands for kube-proxy: each TCP port of a Service listens at its cluster address on this machine, and one of type LoadBalancer at 127.0.0.1
 * too; connections take turns among the endpoints that are ready.
 */
export function createServiceProxy({ slicesOf, failed }: ServiceProxyParts): ServiceProxy {
  const open = new Map<string, Listener>();

  function set(service: Service, isGone: boolean): void {
    const { namespace = '', name } = service.metadata;
    const prefix = `${namespace}/${name} `;
    const wanted = isGone ? new Map<string, Wanted>() : placesOf(service, prefix);
    for (const [key, listener] of open) {
      if (!key.startsWith(prefix) || wanted.has(key)) continue;
      listener.close();
      open.delete(key);
    }
    for (const [key, { host, port }] of wanted) {
      if (open.has(key)) continue;
      const targets = (): readonly Target[] => targetsOf(slicesOf(namespace, name), port.name ?? '');
      open.set(
        key,
        listen({ host, port: port.port }, targets, (why) => failed(`${namespace}/${name}: ${why}`)),
      );
    }
  }

  return {
    set,
    close: () => {
      for (const listener of open.values()) listener.close();
    },
  };
}

interface Wanted {
  readonly host: string;
  readonly port: ServicePort;
}

/** Ports below this are for root alone. */
const firstFreePort = 1024;

function placesOf({ spec = {} }: Service, prefix: string): ReadonlyMap<string, Wanted> {
  const { clusterIP = 'None', type, ports = [] } = spec;
  if (clusterIP === 'None' || !clusterIP.startsWith('10.')) return new Map();
  const hosts = [serviceHere(clusterIP), ...(type === 'LoadBalancer' ? ['127.0.0.1'] : [])];
  const wanted = ports.filter(({ port, protocol = 'TCP' }) => protocol === 'TCP' && port >= firstFreePort);
  return new Map(
    hosts.flatMap((host) => wanted.map((port) => [`${prefix}${host}:${String(port.port)}`, { host, port }] as const)),
  );
}

interface Target {
  readonly host: string;
  readonly port: number;
}

function targetsOf(slices: readonly Slice[], portName: string): readonly Target[] {
  return slices.flatMap(({ ports, endpoints }) => {
    const port = ports?.find(({ name = '' }) => name === portName)?.port;
    if (port === undefined) return [];
    const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
    return ready.flatMap(({ addresses }) => addresses.map((address) => ({ host: podHere(address) ?? address, port })));
  });
}

interface Listener {
  close(): void;
}

function listen(
  at: { readonly host: string; readonly port: number },
  targets: () => readonly Target[],
  failed: (why: string) => void,
): Listener {
  const sockets = new Set<Socket>();
  let turn = 0;
  const server: Server = createServer({ allowHalfOpen: true }, (client) => {
    const all = targets();
    const target = all[turn % Math.max(all.length, 1)];
    turn += 1;
    if (target === undefined) return client.destroy();
    const upstream = connect({ ...target, allowHalfOpen: true });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.once('close', () => sockets.delete(one));
      one.pipe(other);
    }
    return undefined;
  });
  server.on('error', ({ message }) => failed(message));
  server.listen(at.port, at.host);
  return {
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
