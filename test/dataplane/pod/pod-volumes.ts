import { join } from 'node:path';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Client } from '../../../packages/kube-api/client.ts';
import { createVolume, type Volume, type VolumeFile } from './volume.ts';

interface Item {
  readonly key: string;
  readonly path: string;
}

interface VolumeSpec {
  readonly name: string;
  readonly configMap?: { readonly name: string; readonly defaultMode?: number; readonly items?: readonly Item[] };
  readonly secret?: { readonly secretName: string; readonly defaultMode?: number; readonly items?: readonly Item[] };
}

/** The volumes of one Pod. */
export interface PodVolumes {
  /** Folders on this machine by the names of the volumes. */
  readonly folders: ReadonlyMap<string, string>;
  /** Writes what the API has now, as far as it is other. Gives the sources that are missing. */
  refresh(): readonly string[];
  /** Whether one of the volumes is made from this object. */
  uses(object: KubeObject): boolean;
}

/** What becomes of the text of a ConfigMap's file on its way to the disk. */
export type Damage = (file: string, text: string) => string;

export interface VolumesAt {
  readonly folder: string;
  readonly client: Client;
  readonly damage?: Damage | undefined;
}

export function podVolumes(pod: KubeObject, { folder, client, damage }: VolumesAt): PodVolumes {
  const { volumes = [], securityContext = {} } = (pod as { spec?: PodSpec }).spec ?? {};
  const { namespace = '' } = pod.metadata;
  const group = securityContext.fsGroup ?? 0;
  const all = volumes.map((spec) => ({
    source: sourceOf(spec),
    volume: createVolume(join(folder, spec.name), group),
    name: spec.name,
  }));
  const refreshOne = ({ source, volume }: { source: Source; volume: Volume }): readonly string[] => {
    const object = client.get({ apiVersion: 'v1', kind: source.kind, namespace, name: source.name });
    if (object === undefined) return [`${source.kind} ${source.name}`];
    volume.write(filesOf(object, source, damage));
    return [];
  };
  return {
    folders: new Map(all.map(({ name, volume }) => [name, volume.folder])),
    refresh: () => all.flatMap(refreshOne),
    uses: ({ kind, metadata }) =>
      metadata.namespace === namespace &&
      all.some(({ source }) => source.kind === kind && source.name === metadata.name),
  };
}

interface PodSpec {
  readonly volumes?: readonly VolumeSpec[];
  readonly securityContext?: { readonly fsGroup?: number };
}

interface Source {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  readonly mode: number;
  readonly items: readonly Item[] | undefined;
}

function sourceOf({ name, configMap, secret }: VolumeSpec): Source {
  const defaultMode = 0o644;
  if (configMap !== undefined) {
    return {
      kind: 'ConfigMap',
      name: configMap.name,
      mode: configMap.defaultMode ?? defaultMode,
      items: configMap.items,
    };
  }
  if (secret !== undefined) {
    return { kind: 'Secret', name: secret.secretName, mode: secret.defaultMode ?? defaultMode, items: secret.items };
  }
  throw new Error(`the volume ${name} is of a kind that is not imitated here`);
}

/** With fsGroup the kubelet lets the group read whatever the mode says. */
const groupReads = 0o040;

function filesOf(
  object: KubeObject,
  { kind, mode, items }: Source,
  damage: Damage = (_, text) => text,
): ReadonlyMap<string, VolumeFile> {
  const { data = {} } = object as { data?: Readonly<Record<string, string>> };
  const wanted = items ?? Object.keys(data).map((key) => ({ key, path: key }));
  return new Map(
    wanted
      .toSorted((a, b) => (a.path < b.path ? -1 : 1))
      .map(({ key, path }) => {
        const text = data[key];
        if (text === undefined) throw new Error(`${kind} ${object.metadata.name} has no key ${key}`);
        const content = kind === 'Secret' ? Buffer.from(text, 'base64') : Buffer.from(damage(path, text));
        return [path, { content, mode: mode | groupReads }];
      }),
  );
}
