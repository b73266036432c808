import type { Command } from 'commander';
import { version } from './about.ts';
import { type Common, leaf } from './leaf.ts';
import { show } from './show.ts';

/** `knudge version`. */
export function versionCommand(): Command {
  return leaf('version', 'print the versions of Knudge and of the Node that runs it').action((options: Common) => {
    const found = { knudge: version, node: process.version.slice(1) };
    show(found, () => `Knudge ${found.knudge} on Node ${found.node}`, options);
  });
}
