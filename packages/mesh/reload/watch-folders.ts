import { existsSync, type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join, relative, sep } from 'node:path';

export interface FoldersWatched {
  close(): void;
}

interface Watching {
  readonly root: string;
  /** Folders below the root, each with all its subfolders; one that is not there is left out. */
  readonly folders: readonly string[];
  /** Whether a change of this file, as a path from the root, matters. */
  readonly matters: (file: string) => boolean;
  /** Called with the files of a moment, sorted, once they have not changed for a while. */
  readonly changed: (files: readonly string[]) => void;
  /** Called once if folders are left out because there are too many. */
  readonly tooMany: (most: number) => void;
  readonly quietMs?: number;
}

/** Milliseconds: an editor and git write several files one after the other. */
const usualQuietMs = 150;
/** Milliseconds after which a change is passed on though others follow it. */
const longestMs = 1000;
/** Each folder costs the system a watch. */
const mostFolders = 2000;
/** More names than this are not kept: what reads them reads everything anyway. */
const mostFiles = 1000;
const leftOut = new Set(['node_modules', 'test', '.git', '.knudge']);

/**
 * Watches folders and what is made in them later. Node's own recursive watch is not used: on Linux it holds a watch for each file.
 */
export function watchFolders({
  root,
  folders,
  matters,
  changed,
  tooMany,
  quietMs = usualQuietMs,
}: Watching): FoldersWatched {
  const watchers = new Map<string, { readonly watcher: FSWatcher; readonly inode: number | undefined }>();
  const files = new Set<string>();
  const state: { timer?: NodeJS.Timeout; since?: number | undefined; isFull: boolean } = { isFull: false };
  const flush = (): void => {
    const all = [...files].sort();
    files.clear();
    state.since = undefined;
    changed(all);
  };
  const note = (file: string): void => {
    if (!matters(file) || files.size >= mostFiles) return;
    files.add(file);
    clearTimeout(state.timer);
    state.since ??= performance.now();
    state.timer = setTimeout(flush, Math.min(quietMs, Math.max(0, state.since + longestMs - performance.now())));
  };
  const add = (folder: string): void => {
    if (watchers.has(folder)) return;
    if (watchers.size >= mostFolders) {
      if (!state.isFull) tooMany(mostFolders);
      state.isFull = true;
      return;
    }
    const inode = inodeOf(folder);
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name === null) return;
      const path = join(folder, name);
      forgetGone(path);
      if (!leftOut.has(name)) for (const one of foldersBelow(path)) addNew(one);
      note(relative(root, path));
    });
    watcher.on('error', () => forget(folder));
    watchers.set(folder, { watcher, inode });
  };
  const forget = (folder: string): void => {
    watchers.get(folder)?.watcher.close();
    watchers.delete(folder);
  };
  /** A watch stays with the folder that it was set on, and not with a new one of that name. */
  const forgetGone = (folder: string): void => {
    for (const [one, { inode }] of [...watchers]) {
      if ((one === folder || one.startsWith(`${folder}${sep}`)) && inodeOf(one) !== inode) forget(one);
    }
  };
  /** What is in a new folder before its watch stands has changed too. */
  const addNew = (folder: string): void => {
    if (watchers.has(folder)) return;
    add(folder);
    for (const file of filesIn(folder)) note(relative(root, join(folder, file)));
  };
  for (const folder of folders) for (const one of foldersBelow(join(root, folder))) add(one);
  return {
    close: () => {
      clearTimeout(state.timer);
      for (const { watcher } of watchers.values()) watcher.close();
    },
  };
}

/** Undefined of what is not there. */
function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function filesIn(folder: string): readonly string[] {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** A folder and all below it; empty if there is no such folder. */
function foldersBelow(folder: string): readonly string[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const below = entries.filter((entry) => entry.isDirectory() && !leftOut.has(entry.name));
    return [folder, ...below.flatMap(({ name }) => foldersBelow(join(folder, name)))];
  } catch {
    // A file, or a folder that is not there.
    return [];
  }
}
