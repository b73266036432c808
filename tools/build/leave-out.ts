import type { Plugin } from 'esbuild';
import { controller } from '../../functions/table.ts';
import { childKindsOf } from '../../packages/controller/functions/child-kinds.ts';
import { ownStandIns, shapesOfChildren } from '../../packages/image/leave-out.ts';

/** Replaces packages that are in the bundle only because another package offers more than Knudge uses. */
export const leaveOut: Plugin = replace(ownStandIns);

/** Leaves the shapes of the built-in kinds that are children of our resources, and of no other one. */
export const childrenAlone: Plugin = {
  name: 'children-alone',
  setup: ({ onLoad }) => {
    for (const [file, contents] of Object.entries(shapesOfChildren(childKindsOf(controller.resources))))
      onLoad({ filter: new RegExp(`/decide/${file}\\.ts$`) }, () => ({ contents, loader: 'ts' }));
  },
};

/** Replaces packages, named exactly as they are imported, by these texts in CommonJS. A bundle may use it several times. */
export function replace(texts: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'replace',
    setup: ({ onResolve, onLoad }) => {
      const namespace = 'replaced';
      onResolve({ filter: /^[^./]/ }, ({ path }) => (Object.hasOwn(texts, path) ? { path, namespace } : undefined));
      onLoad({ filter: /.*/, namespace }, ({ path }) => {
        const { [path]: contents } = texts;
        // Another use of this plugin has the text.
        return contents === undefined ? undefined : { contents, loader: 'js' };
      });
    },
  };
}
