import type { Origin } from './config.ts';
import { output } from './debian/commands.ts';
import { BuildError } from './errors.ts';

/**
 * The commit of the folder, with its time: SOURCE_DATE_EPOCH and REVISION if they are set, as in a folder without
 * git. Uncommitted changes show as `-dirty`. Throws BuildError if the time is unknown.
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
    if (error instanceof BuildError) return undefined;
    throw error;
  }
}
