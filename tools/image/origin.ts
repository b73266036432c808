import { BuildError } from '../build/errors.ts';
import { ClusterError } from '../control-plane/errors.ts';
import { output } from '../debian/commands.ts';
import type { Origin } from './config.ts';

/**
 * The commit that the folder is at, with its time: SOURCE_DATE_EPOCH and REVISION where they are set, as in a folder without
 * git. What is changed and not committed shows by `-dirty`. Throws BuildError where the time is not to be had.
 */
export function originOf(folder: string, env: NodeJS.ProcessEnv): Origin {
  const git = (...args: readonly string[]): string | undefined => said('git', '-C', folder, ...args);
  const time = env['SOURCE_DATE_EPOCH'] || git('log', '-1', '--format=%ct');
  if (time === undefined || !/^\d{1,11}$/.test(time)) {
    throw new BuildError(
      `The time of the image is "${time ?? ''}", and must be seconds since 1970: build in a clone with git, or set SOURCE_DATE_EPOCH.`,
    );
  }
  const commit = git('rev-parse', 'HEAD');
  const dirt = git('status', '--porcelain') === '' ? '' : '-dirty';
  return { createdAt: Number(time), revision: env['REVISION'] || (commit && `${commit}${dirt}`) };
}

function said(command: string, ...args: readonly string[]): string | undefined {
  try {
    return output(command, ...args).trim();
  } catch (error) {
    if (error instanceof ClusterError) return undefined;
    throw error;
  }
}
