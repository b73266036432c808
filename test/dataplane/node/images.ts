import { execFileSync } from 'node:child_process';
import { loadImage } from '../../../tools/control-plane/node/load-image.ts';
import { versions } from '../../../tools/dataplane/versions.ts';
import { imageOf } from '../pod/image.ts';

/** A web server, and nothing else. */
export const webServer = { image: 'knudge.test/httpd:1', program: '/bin/busybox' } as const;

/** Makes the images of tunnels and of backends known to the node of the cluster in this folder, from programs of this machine. */
export function loadImages(dir: string): void {
  for (const name of [versions.frp.image, versions.envoy.image]) {
    const { program, path } = imageOf(name);
    loadImage(dir, { name: `docker.io/${name}`, files: { ...librariesOf(program), [path]: program } });
  }
  const busybox = execFileSync('which', ['busybox'], { encoding: 'utf8' }).trim();
  loadImage(dir, { name: webServer.image, files: { [webServer.program]: busybox } });
}

/** The libraries that a program loads, where it looks for them; none for one that is linked statically. */
function librariesOf(program: string): Readonly<Record<string, string>> {
  const isStatic = /not a dynamic executable|statically linked/;
  const list = execFileSync('sh', ['-c', 'ldd "$0" 2>&1 || true', program], { encoding: 'utf8' });
  if (isStatic.test(list)) return {};
  return Object.fromEntries([...list.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => [path, path]));
}
