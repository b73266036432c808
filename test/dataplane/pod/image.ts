import { installed } from '../../../tools/dataplane/install.ts';
import { versions } from '../../../tools/dataplane/versions.ts';

/** What stands in for a container's image: one program, where the image has it. */
export interface Image {
  /** The file on this machine. */
  readonly program: string;
  /** Its path in the image, which is on the image's PATH. */
  readonly path: string;
}

const tools = await installed();

const images: ReadonlyMap<string, Image> = new Map([
  [versions.frp.image, { program: tools.frpc, path: '/usr/bin/frpc' }],
  [versions.envoy.image, { program: tools.envoy, path: '/usr/local/bin/envoy' }],
]);

/** The program of an image that a cluster would pull. Throws where no such image is pinned. */
export function imageOf(name: string): Image {
  const image = images.get(name);
  if (image === undefined) throw new Error(`tools/dataplane/versions.ts knows no image ${name}`);
  return image;
}
