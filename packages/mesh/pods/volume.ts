import { mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files of a volume by their paths in it. */
export type VolumeFiles = ReadonlyMap<string, string | Buffer>;

/** A folder whose files change together. */
export interface Volume {
  readonly folder: string;
  /** Replaces all files, at once for every reader. Does nothing if they are the same. */
  write(files: VolumeFiles): void;
}

/**
 * A volume as the kubelet writes it (its AtomicWriter): files are links through `..data` into a folder of their own, and a new `..data`
 * is renamed over the old one. Only this user may read it.
 */
export function createVolume(folder: string): Volume {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const data = join(folder, '..data');
  let known = '';
  let count = 0;
  let names: readonly string[] = [];
  return {
    folder,
    write: (files) => {
      const text = JSON.stringify([...files].map(([path, content]) => [path, content.toString('base64')]));
      if (text === known) return;
      known = text;
      count += 1;
      const stamp = `..${String(count)}`;
      fill(join(folder, stamp), files);
      const before = linkOf(data);
      symlinkSync(stamp, `${data}_tmp`);
      renameSync(`${data}_tmp`, data);
      const fresh = [...new Set([...files.keys()].map((path) => path.split('/')[0] ?? ''))];
      for (const name of fresh) if (!names.includes(name)) symlinkSync(`..data/${name}`, join(folder, name));
      for (const name of names) if (!fresh.includes(name)) rmSync(join(folder, name));
      names = fresh;
      if (before !== undefined) rmSync(join(folder, before), { recursive: true });
    },
  };
}

function fill(folder: string, files: VolumeFiles): void {
  mkdirSync(folder, { mode: 0o700 });
  for (const [path, content] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, path), content, { mode: 0o600 });
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
