import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { output } from '../../debian/commands.ts';
import { ClusterError } from '../errors.ts';
import { inNode } from './enter.ts';
import { type LocalImage, writeImages } from './image.ts';
import { fileOf } from './place.ts';

const run = promisify(execFile);
const importTimeoutMs = 180_000;

/**
 * Loads images into the node of the cluster in this folder; a Pod that names one must not ask for a pull each time.
 * Throws ClusterError if the container runtime refuses them.
 */
export function loadImages(dir: string, images: readonly LocalImage[]): void {
  const archive = fileOf(dir, 'images.tar');
  writeImages(images, archive);
  const [command, ...args] = imagesCommand(dir, ['import', archive]);
  output(command, ...args);
  rmSync(archive);
}

/** Loads the images of an archive as `docker save` writes it. Throws ClusterError as `loadImages` does. */
export async function loadArchive(dir: string, archive: string): Promise<void> {
  const [command, ...args] = imagesCommand(dir, ['import', archive]);
  try {
    await run(command, args, { timeout: importTimeoutMs });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new ClusterError(
      `The container runtime does not take the images of ${archive}: ${stderr?.trim() || message}`,
    );
  }
}

/** Writes a loaded image into an archive, in the layout of the OCI. */
export function saveImage(dir: string, image: string, archive: string): void {
  const [command, ...args] = imagesCommand(dir, ['export', archive, image]);
  output(command, ...args);
}

/** Gives a loaded image a further name. */
export function tagImage(dir: string, image: string, name: string): void {
  const [command, ...args] = imagesCommand(dir, ['tag', '--force', image, name]);
  output(command, ...args);
}

function imagesCommand(dir: string, args: readonly string[]) {
  return inNode(dir, ['ctr', '--namespace=k8s.io', 'images', ...args]);
}
