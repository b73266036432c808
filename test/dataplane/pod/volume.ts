import { chmodSync, chownSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface VolumeFile {
  readonly content: Buffer;
  readonly mode: number;
}

/** A folder that a container mounts. */
export interface Volume {
  readonly folder: string;
  /** Puts other files in the place of all there are, at once for every reader; gives whether anything changed. */
  write(files: ReadonlyMap<string, VolumeFile>): boolean;
}

/**
 * A volume as the kubelet writes it (its AtomicWriter): files are links through `..data` into a folder with a time in
 * its name, and a new `..data` is renamed over the old one. The group may read what is in it (fsGroup).
 */
export function createVolume(folder: string, group: number): Volume {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  let known = '';
  let count = 0;
  let names: readonly string[] = [];
  return {
    folder,
    write: (files) => {
      const text = JSON.stringify(
        [...files].map(([name, { content, mode }]) => [name, content.toString('base64'), mode]),
      );
      if (text === known) return false;
      known = text;
      count += 1;
      const stamp = `..2026_11_21_12_00_00.${String(count)}`;
      fill(join(folder, stamp), files, group);
      const before = readLink(join(folder, '..data'));
      symlinkSync(stamp, join(folder, '..data_tmp'));
      renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
      for (const name of files.keys()) if (!names.includes(name)) symlinkSync(`..data/${name}`, join(folder, name));
      for (const name of names) if (!files.has(name)) rmSync(join(folder, name));
      names = [...files.keys()];
      if (before !== undefined) rmSync(join(folder, before), { recursive: true });
      return true;
    },
  };
}

function fill(folder: string, files: ReadonlyMap<string, VolumeFile>, group: number): void {
  mkdirSync(folder);
  chmodSync(folder, 0o755);
  for (const [name, { content, mode }] of files) {
    writeFileSync(join(folder, name), content);
    chownSync(join(folder, name), 0, group);
    chmodSync(join(folder, name), mode);
  }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
