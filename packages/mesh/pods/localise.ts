import { podHere } from './addresses.ts';

/** Where the parts of a Pod are on this machine. */
export interface PodPlace {
  /** Of this Pod alone: other Pods have the same ports and socket names. */
  readonly id: string;
  /** The Pod's own address here: stands for 127.0.0.1 and 0.0.0.0. */
  readonly address: string;
  /** Folders here by the paths at which the containers mount them. */
  readonly mounts: ReadonlyMap<string, string>;
  /** Where a host of the cluster is here: a Service's DNS name or its address. */
  readonly lookUp: (host: string) => string | undefined;
}

/**
 * A text that was written for a Pod, as a process of this machine needs it: it has neither a root nor a network of its own. Paths of mounts,
 * the loopback, addresses of Pods, names and addresses of Services, and abstract sockets become those of this machine.
 */
export function localise(text: string, { id, address, mounts, lookUp }: PodPlace): string {
  const paths = [...mounts.keys()].toSorted((one, other) => other.length - one.length).map(literally);
  const patterns = [
    `(?<host>(?<![\\w.-])[a-z0-9-]+\\.[a-z0-9-]+\\.svc(?:\\.cluster\\.local)?(?![\\w-])|(?<![\\w.])\\d+\\.\\d+\\.\\d+\\.\\d+(?![\\w.]))`,
    // As JSON writes the value of a field; a name that a colon follows is the name of a field.
    '(?<socket>(?<=")@[\\w-]+(?="(?!\\s*:)))',
    ...(paths.length === 0 ? [] : [`(?<path>(?<![\\w./-])(?:${paths.join('|')})(?![\\w.-]))`]),
  ];
  const ofHost = (host: string): string => {
    if (host === '127.0.0.1' || host === '0.0.0.0') return address;
    return podHere(host) ?? lookUp(host) ?? host;
  };
  return text.replace(new RegExp(patterns.join('|'), 'g'), (found: string, ...rest: readonly unknown[]) => {
    const { host, socket, path } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    if (host !== undefined) return ofHost(host);
    if (socket !== undefined) return `${socket}-${id}`;
    return mounts.get(path ?? '') ?? found;
  });
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
