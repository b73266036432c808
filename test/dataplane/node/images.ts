import { loadImages as load } from '../../../tools/control-plane/node/load-image.ts';
import { dataPlaneImages, withShell } from '../../../tools/dataplane/images.ts';
import { installed } from '../../../tools/dataplane/install.ts';

/** A web server, and nothing else. */
export const webServer = { image: 'knudge.test/httpd:1', program: '/bin/busybox' } as const;

/** Makes the images of tunnels and of backends known to the node of the cluster in this folder, from programs of this machine. */
export async function loadImages(dir: string): Promise<void> {
  load(dir, [...dataPlaneImages(await installed()), withShell({ name: webServer.image, files: {} })]);
}
