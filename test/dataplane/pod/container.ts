import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Image, imageOf } from './image.ts';

/** A value, or a field of the Pod by its path: `metadata.uid`. */
interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly fieldRef: { readonly fieldPath: string } };
}

/** What the API says of a container, as far as it is acted on. */
export interface ContainerSpec {
  readonly name: string;
  readonly image: string;
  readonly command: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly EnvVar[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly readOnly?: boolean }[];
  readonly securityContext?: {
    readonly runAsUser?: number;
    readonly runAsGroup?: number;
    readonly runAsNonRoot?: boolean;
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[] };
  };
}

export interface ContainerPlace {
  /** The file of the Pod's network namespace. */
  readonly network: string;
  /** An empty folder on this machine that becomes the root. */
  readonly root: string;
  /** Folders on this machine by the name of the volume. */
  readonly volumes: ReadonlyMap<string, string>;
  readonly user: number;
  readonly group: number;
  readonly fsGroup: number;
  /** Of the Pod. */
  readonly uid: string;
}

export interface Container {
  readonly process: ChildProcess;
  readonly said: () => string;
}

/** A file as a process in a container sees it, by its path on this machine. */
export function fileSeenBy(pid: number | string | undefined, path: string): string {
  return join('/proc', String(pid), 'root', path);
}

/** The longest log that is kept. */
const longest = 200_000;

/**
 * Runs the container's own command in the Pod's network namespace and a mount namespace of its own: a root that holds
 * the program of the image, the C library and the volumes at their paths and is read-only; the user and group of the
 * spec, no capabilities, none to be had. Not as in a cluster: it sees the processes of the machine, and has no cgroup and
 * no seccomp profile.
 */
export function startContainer(spec: ContainerSpec, place: ContainerPlace): Container {
  refuseWhatIsNotDone(spec, place);
  mkdirSync(place.root, { recursive: true });
  const image = imageOf(spec.image);
  const { user, group, fsGroup } = place;
  const args = [
    `--net=${place.network}`,
    'unshare',
    '--mount',
    '--propagation=private',
    'sh',
    '-ec',
    script(spec, place, image),
    'sh',
    '/.setpriv',
    `--reuid=${String(user)}`,
    `--regid=${String(group)}`,
    `--groups=${String(fsGroup)}`,
    '--no-new-privs',
    '--bounding-set=-all',
    '--inh-caps=-all',
    '--ambient-caps=-all',
    // A test that is killed leaves nothing running.
    '--pdeathsig=KILL',
    ...spec.command,
    ...(spec.args ?? []),
  ];
  const env = Object.fromEntries((spec.env ?? []).map((one) => [one.name, valueFor(one, place)]));
  const child = spawn('nsenter', args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: imagePath, ...env } });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk.toString()).slice(-longest);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  return { process: child, said: () => output };
}

function valueFor({ name, value = '', valueFrom }: EnvVar, { uid }: ContainerPlace): string {
  if (valueFrom === undefined) return value;
  if (valueFrom.fieldRef.fieldPath !== 'metadata.uid')
    throw new Error(`${name}: only the uid of the Pod is given here`);
  return uid;
}

/** The PATH that Docker gives an image which sets none; the commands of the machine are found with it too. */
const imagePath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** What is not imitated must not be asked for: a pass would say too much. */
function refuseWhatIsNotDone({ name, securityContext = {} }: ContainerSpec, { user }: ContainerPlace): void {
  const { runAsNonRoot, allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = securityContext;
  if (runAsNonRoot === true && user === 0) throw new Error(`${name} must not run as root, and would`);
  if (allowPrivilegeEscalation !== false || readOnlyRootFilesystem !== true || !capabilities?.drop?.includes('ALL')) {
    throw new Error(`${name} is not restricted: containers here have no capabilities and cannot write`);
  }
}

/** Makes the root and enters it; every line is one step of a container runtime. */
function script(spec: ContainerSpec, { root, volumes }: ContainerPlace, image: Image): string {
  const bind = (from: string, to: string): string =>
    `mount --bind ${quote(from)} ${quote(`${root}${to}`)}; mount -o remount,bind,ro ${quote(`${root}${to}`)}`;
  const file = (from: string, to: string): string => `: > ${quote(`${root}${to}`)}; ${bind(from, to)}`;
  const folders = ['/proc', '/dev', '/etc', '/tmp', '/usr/bin', '/usr/local/bin', '/usr/lib', '/usr/lib64'];
  const mounts = (spec.volumeMounts ?? []).map(({ name, mountPath }) => {
    const from = volumes.get(name);
    if (from === undefined) throw new Error(`${spec.name} mounts the volume ${name}, which the Pod has not`);
    return [from, mountPath] as const;
  });
  return [
    `mount -t tmpfs -o mode=0755,size=1m tmpfs ${quote(root)}`,
    `mkdir -p ${[...folders, ...mounts.map(([, to]) => to)].map((one) => quote(`${root}${one}`)).join(' ')}`,
    `ln -s usr/lib ${quote(`${root}/lib`)}; ln -s usr/lib64 ${quote(`${root}/lib64`)}`,
    bind('/usr/lib', '/usr/lib'),
    `[ ! -d /usr/lib64 ] || { ${bind('/usr/lib64', '/usr/lib64')}; }`,
    `mount --bind /proc ${quote(`${root}/proc`)}`,
    ...['null', 'zero', 'random', 'urandom'].map(
      (device) =>
        `: > ${quote(`${root}/dev/${device}`)}; mount --bind /dev/${device} ${quote(`${root}/dev/${device}`)}`,
    ),
    `echo 127.0.0.1 localhost > ${quote(`${root}/etc/hosts`)}`,
    file('/usr/bin/setpriv', '/.setpriv'),
    file(image.program, image.path),
    ...mounts.map(([from, to]) => bind(from, to)),
    `mount -o remount,ro ${quote(root)}`,
    `cd ${quote(root)}; exec chroot . "$@"`,
  ].join('\n');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
