import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { KubeObject } from '../../controller/domain/kube-object.ts';
import type { Pod, VolumeSpec } from './pod-spec.ts';
import { createVolume, type Volume, type VolumeFiles } from './volume.ts';

/** An object of the Pod's namespace by kind and name. */
export type FindObject = (kind: 'ConfigMap' | 'Secret', name: string) => KubeObject | undefined;

export interface PodVolumes {
  /** Folders on this machine by the names of the volumes. */
  readonly folders: ReadonlyMap<string, string>;
  /** Writes what the objects have now. Returns what is missing, in a sentence for each. */
  refresh(): readonly string[];
}

interface VolumesAt {
  readonly folder: string;
  readonly find: FindObject;
  /** Makes the text of a ConfigMap one for this machine. */
  readonly localise: (text: string) => string;
}

/** The volumes of a Pod: ConfigMap, Secret and emptyDir. A Secret is written as it is, and what is projected, a token, stays empty. */
export function podVolumes({ spec }: Pod, { folder, find, localise }: VolumesAt): PodVolumes {
  const { volumes = [] } = spec;
  const made = volumes.map((one) => ({ spec: one, volume: createVolume(join(folder, one.name)) }));
  const refreshOne = ({ spec: one, volume }: { spec: VolumeSpec; volume: Volume }): readonly string[] => {
    if (one.emptyDir !== undefined || one.projected !== undefined) return [];
    const source = sourceOf(one);
    if (source === undefined) return [`volume ${one.name} is neither a ConfigMap, a Secret nor an emptyDir`];
    const object = find(source.kind, source.name);
    if (object === undefined) return source.optional ? [] : [`${source.kind} ${source.name} not found`];
    const { files, missing } = filesOf(object, source, localise);
    if (missing.length > 0) return missing.map((key) => `${source.kind} ${source.name} has no key ${key}`);
    volume.write(files);
    return [];
  };
  return {
    folders: new Map(made.map(({ spec: one, volume }) => [one.name, volume.folder])),
    refresh: () => made.flatMap(refreshOne),
  };
}

/** Makes the folder of a Pod, which only this user may read. */
export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
}

interface Source {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  readonly optional: boolean;
  readonly items: readonly { readonly key: string; readonly path: string }[] | undefined;
}

function sourceOf({ configMap, secret }: VolumeSpec): Source | undefined {
  if (configMap !== undefined) {
    const { name, optional = false, items } = configMap;
    return { kind: 'ConfigMap', name, optional, items };
  }
  if (secret === undefined) return undefined;
  const { secretName: name, optional = false, items } = secret;
  return { kind: 'Secret', name, optional, items };
}

function filesOf(
  object: KubeObject,
  { kind, items }: Source,
  localise: (text: string) => string,
): { readonly files: VolumeFiles; readonly missing: readonly string[] } {
  const { data = {}, binaryData = {} } = object as Data;
  const contents = new Map<string, string | Buffer>();
  for (const [key, text] of Object.entries(data))
    contents.set(key, kind === 'Secret' ? Buffer.from(text, 'base64') : localise(text));
  for (const [key, text] of Object.entries(binaryData)) contents.set(key, Buffer.from(text, 'base64'));
  const wanted = items ?? [...contents.keys()].map((key) => ({ key, path: key }));
  const missing = wanted.map(({ key }) => key).filter((key) => !contents.has(key));
  return { files: new Map(wanted.map(({ key, path }) => [path, contents.get(key) ?? ''])), missing };
}

interface Data {
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}
