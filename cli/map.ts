import type { Command } from 'commander';
import { readManifests } from '../packages/mesh/manifests/read-manifests.ts';
import { traceEvents } from '../packages/mesh/map/trace.ts';
import { treeOf } from '../packages/mesh/map/tree.ts';
import { root } from './about.ts';
import { type Common, leaf } from './leaf.ts';
import { show } from './show.ts';

/** `knudge map`: where every event goes. */
export function mapCommand(): Command {
  return leaf(
    'map',
    'show which source sends what, which Trigger wants it, which function it wakes and what that makes',
  )
    .option('--overlay <name>', 'a folder of deploy/overlays')
    .action(({ overlay, json }: Common & { readonly overlay?: string }) => {
      const found = traceEvents(readManifests({ root, ...(overlay !== undefined && { overlay }) }));
      show(found, (style) => treeOf(found, style), { ...(json && { json }) });
    });
}
