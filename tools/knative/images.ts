import { loadImages } from '../control-plane/node/load-image.ts';
import { dataPlaneImages, imageOf, withShell } from '../dataplane/images.ts';
import type { Tools } from '../dataplane/install.ts';
import { imageName } from './programs.ts';

/** What a Message's Pod runs, and what the provisioner of volumes makes folders with. */
const busybox = 'docker.io/library/busybox:1.37.0';

/** Loads into the node what Knudge and Kourier would have pulled: Envoy, frpc, frps and busybox, of this machine. */
export function loadNeighbours(dir: string, tools: Tools): void {
  const gateway = withShell(imageOf(imageName('envoy'), '/usr/local/bin/envoy', tools.envoy));
  loadImages(dir, [gateway, withShell({ name: busybox, files: {} }), ...dataPlaneImages(tools)]);
}
