import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of a container of a Pod. */
interface Place {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly container: string;
}

/** The folder of a Pod among those of its node. */
export function folderOf({ namespace, name, uid }: Omit<Place, 'container'>): string {
  return `${namespace}_${name}_${uid}`;
}

/** Reads logs of containers below a node's folder; undefined for a container without a log. */
export function logIn(folder: string): (place: Place) => string | undefined {
  return (place) => {
    try {
      return readFileSync(join(folder, folderOf(place), `${place.container}.log`), 'utf8');
    } catch {
      return undefined;
    }
  };
}
