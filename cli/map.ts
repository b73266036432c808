import type { Command } from 'commander';
import { readManifests } from '../packages/mesh/manifests/read-manifests.ts';
import { traceEvents } from '../packages/mesh/map/trace.ts';
import { treeOf } from '../packages/mesh/map/tree.ts';
import { root } from './about.ts';
import { type Common, leaf } from './leaf.ts';
import { show } from './show.ts';

/** `knudge map`: shows where every event goes. */
export function mapCommand(): Command {
  return leaf(
    'map',
    'show what each source sends, which Triggers take it, which functions they wake and what those write',
  )
    .option('--overlay <name>', 'a folder of deploy/overlays')
    .action(({ overlay, json }: Common & { readonly overlay?: string }) => {
      const found = eventMap(overlay);
      show(found, (style) => treeOf(found, style), { ...(json && { json }) });
    });
}

/** Where every event goes, as the manifests say. */
export function eventMap(overlay: string | undefined): ReturnType<typeof traceEvents> {
  return traceEvents(readManifests({ root, ...(overlay !== undefined && { overlay }) }));
}
