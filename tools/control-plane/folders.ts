import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** Makes a folder with its parents and returns the outermost one that was missing; undefined if none was. */
export function makeFolders(dir: string): string | undefined {
  // Not mkdirSync's recursive mode: in Node 24 it never returns for a folder that cannot be made, such as /proc/a/b.
  if (existsSync(dir)) return undefined;
  const above = makeFolders(dirname(dir));
  try {
    mkdirSync(dir);
  } catch (error) {
    // Another process made it in between.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return above;
    throw error;
  }
  return above ?? dir;
}

/** Removes the folder and its parents up to the outermost one that was made, as far as they are empty. */
export function removeFolders(dir: string, made: string): void {
  try {
    for (let folder = dir; folder.startsWith(made); folder = dirname(folder)) rmdirSync(folder);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
