// Loaded before a function, only by the mesh: reports its port to the mesh, and ends with the mesh.
import { subscribe } from 'node:diagnostics_channel';
import type { Server } from 'node:net';
import { isMainThread } from 'node:worker_threads';

/** Also a mesh that was killed leaves no function behind: the operating system closes the channel for it. */
if (isMainThread) {
  process.once('disconnect', () => process.exit(0));
  process.channel?.unref();
  if (!process.connected) process.exit(0);
}

/** Sooner than any probe could see it, and without choosing a port that another program may take meanwhile. */
subscribe('tracing:net.server.listen:asyncEnd', (message) => {
  const { server } = message as { readonly server: Server };
  const address = server.address();
  if (address !== null && typeof address === 'object') process.send?.({ listening: address.port });
});
