import type { Plugin } from 'esbuild';

/** Packages that no function ever calls, and what stands in for each: enough to be imported. */
const standIns: Readonly<Record<string, string>> = {
  // pino's worker threads for other places than the standard output.
  'thread-stream': `module.exports = class { constructor() { throw new Error('a function logs to its standard output only'); } };`,
};

/** Replaces packages that are in the graph only because a package that we do need offers more than we use. */
export const leaveOut: Plugin = replace(standIns);

/** Replaces packages, named exactly as they are imported, by these texts in CommonJS. */
export function replace(texts: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'replace',
    setup: ({ onResolve, onLoad }) => {
      const namespace = 'replaced';
      onResolve({ filter: /^[^./]/ }, ({ path }) => (Object.hasOwn(texts, path) ? { path, namespace } : undefined));
      onLoad({ filter: /.*/, namespace }, ({ path }) => ({ contents: texts[path] ?? '', loader: 'js' }));
    },
  };
}
