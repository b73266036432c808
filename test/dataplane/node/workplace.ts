import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { place } from '../../../tools/control-plane/node/place.ts';
import { changeStems } from '../../build/stems.ts';
import { type Arena, openArena } from '../../kube/arena.ts';
import { type FrpServer, prepareServer } from '../world/frp-server.ts';
import { loadImages } from './images.ts';
import { backend } from './objects.ts';

/** The real node with an FRP server beside it, a profile of that server, and one backend in the namespace `shop`. */
export interface Workplace {
  readonly arena: Arena;
  readonly server: FrpServer;
  close(): Promise<void>;
}

export async function openWorkplace(): Promise<Workplace> {
  const node = process.env['KNUDGE_TEST_NODE'];
  assert.ok(node, 'these tests need a real node: npm run test:node');
  await loadImages(node);
  const folder = mkdtempSync(join(tmpdir(), 'knudge-node-'));
  const arena = await openArena({ stems: changeStems, env: { K_SINK: 'http://127.0.0.1:9/' } });
  const server = await prepareServer(place.host, folder);
  await server.start();
  await arena.put({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  for (const object of [server.tokenSecret, server.profile('default'), backend('web-1')]) await arena.put(object);
  return {
    arena,
    server,
    close: async () => {
      await arena.close();
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
