import { join } from 'node:path';
import type { MeshParts } from './mesh-parts.ts';

/** Where the event log is without a database. */
export const logFile = (dir: string): string => join(dir, 'events.db');

/** The file of the event log; null where `DATABASE_URL` names a database, which wins (packages/event-log/store/open.ts). */
export function logFileOf({ dir, env, spec }: Pick<MeshParts, 'dir' | 'env' | 'spec'>): string | null {
  const { env: own = {} } = spec.functions.find(({ name }) => name === 'event-log') ?? {};
  return { ...env, ...own }['DATABASE_URL'] ? null : logFile(dir);
}
