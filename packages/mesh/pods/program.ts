import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { programOf } from '../../kube-api/controllers/fake-node.ts';
import type { ContainerSpec, Pod } from './pod-spec.ts';

/** Programs of this machine by the names of images, without registry and tag. */
export type Programs = Readonly<Record<string, string>>;

/** What a node has of its machine. */
export interface Machine {
  readonly programs: Programs;
  /** Where other programs are found, as in PATH. */
  readonly path: string;
}

/** The program and the arguments of a container; in a command, the program's own name stands for it. */
export function commandOf(
  { image, command, args = [] }: ContainerSpec,
  { programs, path }: Machine,
): readonly string[] {
  const name = programOf(image);
  const own = programs[name] ?? name;
  const [first = name, ...rest] = command ?? [];
  return [...leash(path), first === name ? own : first, ...rest, ...args];
}

/** The variables of a container. Throws a sentence for one that comes from elsewhere than a field of the Pod. */
export function environmentOf(
  { name: container, env = [], envFrom }: ContainerSpec,
  pod: Pod,
  address: string,
): Readonly<Record<string, string>> {
  if (envFrom !== undefined) throw new Error(`container ${container} has envFrom, which does not work on this node`);
  return Object.fromEntries(
    env.map(({ name, value = '', valueFrom }) => {
      if (valueFrom === undefined) return [name, value];
      const path = valueFrom.fieldRef?.fieldPath ?? '';
      const found = path === 'status.podIP' ? address : fieldOf(pod, path);
      if (found !== undefined) return [name, found];
      throw new Error(`variable ${name} of container ${container} does not come from a field of the Pod's metadata`);
    }),
  );
}

function fieldOf({ metadata, spec }: Pod, path: string): string | undefined {
  const [, list, key = ''] = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path) ?? [];
  if (list === 'labels' || list === 'annotations') return metadata[list]?.[key] ?? '';
  if (path === 'spec.nodeName') return spec.nodeName;
  const [, field] = /^metadata\.(name|namespace|uid)$/.exec(path) ?? [];
  return field === 'name' || field === 'namespace' || field === 'uid' ? metadata[field] : undefined;
}

/** Ends the program with its parent, also where that is killed: Linux does it. Nothing without the command of util-linux. */
function leash(path: string): readonly string[] {
  if (process.platform !== 'linux') return [];
  const found = path
    .split(delimiter)
    .map((folder) => join(folder, 'setpriv'))
    .find((file) => existsSync(file));
  return found === undefined ? [] : [found, '--pdeathsig=KILL', '--'];
}
