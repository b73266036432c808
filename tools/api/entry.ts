import { posix } from 'node:path';

/** The packages that have an entry file, `packages/<name>/index.ts`. */
export const packages = [
  'console',
  'controller',
  'event-log',
  'generate',
  'image',
  'issuing',
  'kube-api',
  'mesh',
  'source',
  'start',
] as const;

/** The folders in packages/ whose `index.ts` others import: that of each package, and what its package.json exports besides. */
export const entries = packages.flatMap((name) => (name === 'controller' ? [name, 'controller/testing'] : [name]));

/** A name that an entry file gives to others. */
export interface PublicName {
  readonly name: string;
  readonly isType: boolean;
  /** The file that the entry has it from, as a path from the root. */
  readonly from: string;
}

/** What an entry file exports; throws where it does anything but export by name from a file. */
export function namesIn(path: string, text: string): readonly PublicName[] {
  const code = text.replace(/^\/\/.*$/gm, '');
  const rest = code.replace(exporting, '').trim();
  if (rest !== '') throw new Error(`${path}: an entry file only exports names from files, not ${rest.split('\n')[0]}`);
  return [...code.matchAll(exporting)].flatMap(([, type, names = '', from = '']) =>
    namesBetween(names).map((name) => ({
      name: name.replace(/^type /, ''),
      isType: type !== undefined || name.startsWith('type '),
      from: posix.join(posix.dirname(path), from),
    })),
  );
}

/** Where a file has a name from that it only passes on; undefined where it does not. */
export function passedOn(path: string, text: string, name: string): string | undefined {
  const found = [...text.matchAll(exporting)].find(([, , names = '']) =>
    namesBetween(names).some((one) => one.replace(/^type /, '') === name),
  );
  return found?.[3] === undefined ? undefined : posix.join(posix.dirname(path), found[3]);
}

const exporting = /^export (type )?\{([^}]*)\} from '(\.[^']*)';$/gm;

function namesBetween(text: string): readonly string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
