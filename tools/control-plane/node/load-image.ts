import { rmSync } from 'node:fs';
import { output } from '../../debian/commands.ts';
import { inNode } from './enter.ts';
import { type LocalImage, writeImage } from './image.ts';
import { fileOf } from './place.ts';

/**
 * Makes an image known to the node of the cluster in this folder; a Pod that names it must not ask for a pull each time.
 * Throws ClusterError where the container runtime does not take it.
 */
export function loadImage(dir: string, image: LocalImage): void {
  const archive = fileOf(dir, 'image.tar');
  writeImage(image, archive);
  const [command, ...args] = inNode(dir, ['ctr', '--namespace=k8s.io', 'images', 'import', archive]);
  output(command, ...args);
  rmSync(archive);
}
