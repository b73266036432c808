import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Sysctls } from './sysctls.ts';

/** The record of the machine's one node, outside its folder: to find its owner, and to restore settings. */
export type NodeRecord = {
  /** The folder of its cluster. */
  dir: string;
  sysctls: Sysctls;
  /** Folders that were made as mount points for the node's own, each with the outermost one that was missing. */
  made: readonly { folder: string; outermost: string }[];
};

const path = '/run/knudge-node.json';

export function readRecord(): NodeRecord | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as NodeRecord) : undefined;
}

/** Fails with EEXIST if there is one. */
export function writeRecord(record: NodeRecord): void {
  writeFileSync(path, `${JSON.stringify(record, undefined, 2)}\n`, { flag: 'wx' });
}

export function removeRecord(): void {
  rmSync(path, { force: true });
}
