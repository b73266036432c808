import type { LocalImage } from '../control-plane/node/image.ts';
import { output } from '../debian/commands.ts';
import type { Tools } from './install.ts';
import { versions } from './versions.ts';

/** Images that a cluster would pull from a registry, made of programs of this machine for a node without a registry. */
export function dataPlaneImages({ frpc, frps, envoy }: Tools): readonly LocalImage[] {
  const { frp, envoy: pinned } = versions;
  return [
    imageOf(`docker.io/${frp.image}`, '/usr/bin/frpc', frpc),
    // Its probe uses wget.
    withShell(imageOf(`docker.io/${frp.serverImage}`, '/usr/bin/frps', frps)),
    imageOf(`docker.io/${pinned.image}`, '/usr/local/bin/envoy', envoy),
  ];
}

/** An image with one program and the libraries that the program loads. */
export function imageOf(name: string, path: string, program: string): LocalImage {
  return { name, files: { ...librariesOf(program), [path]: program } };
}

/** The same image with a shell and the programs that short scripts call. */
export function withShell(image: LocalImage): LocalImage {
  const busybox = output('which', 'busybox').trim();
  const shell = Object.fromEntries(commands.map((command) => [`/bin/${command}`, busybox]));
  return { ...image, files: { ...image.files, ...shell } };
}

const commands = ['sh', 'sleep', 'printf', 'mkdir', 'rm', 'wget', 'cat', 'httpd', 'busybox'];

/** The libraries that a program loads, at their paths; none for one that is linked statically. */
function librariesOf(program: string): Readonly<Record<string, string>> {
  const isStatic = /not a dynamic executable|statically linked/;
  const list = output('sh', '-c', 'ldd "$0" 2>&1 || true', program);
  if (isStatic.test(list)) return {};
  return Object.fromEntries([...list.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => [path, path]));
}
