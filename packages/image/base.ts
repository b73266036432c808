import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Architecture } from './architecture.ts';
import { output } from './debian/commands.ts';
import { fetchPackages } from './debian/fetch.ts';
import { type Pin, pins } from './pins.ts';

/** The user that the functions run as: the number that distroless images gave "nonroot". */
export const user = { id: 65532, name: 'nonroot' } as const;

/** The path of the certificates, and the variable in which programs look for it. */
export const certificates = { variable: 'SSL_CERT_FILE', path: '/etc/ssl/certs/ca-certificates.crt' } as const;

const texts: Readonly<Record<string, string>> = {
  'etc/passwd': `root:x:0:0:root:/root:/sbin/nologin\n${user.name}:x:${user.id}:${user.id}::/:/sbin/nologin\n`,
  'etc/group': `root:x:0:\n${user.name}:x:${user.id}:\n`,
  'etc/nsswitch.conf': 'hosts: files dns\n',
  // Scanners recognize by it whose packages these are.
  'etc/os-release':
    'PRETTY_NAME="Knudge on Debian 12"\nNAME="Debian GNU/Linux"\nVERSION_ID="12"\nVERSION_CODENAME=bookworm\nID=debian\n',
};

/** Writes what a program needs before it is added: libraries, certificates, names. */
export async function layBase(root: string, arch: Architecture, log: (line: string) => void): Promise<void> {
  for (const [path, text] of Object.entries(texts)) write(join(root, path), text);
  mkdirSync(join(root, 'tmp'));
  const packages = await fetchPackages(pins, {
    arch,
    log,
    pinnedIn: 'packages/image/pins.ts',
    what: 'The image has libraries of Debian',
    otherwise: 'use the Dockerfile',
  });
  for (const [name, file] of packages) {
    const unpacked = mkdtempSync(join(tmpdir(), 'knudge-package-'));
    try {
      output('dpkg-deb', '--extract', file, unpacked);
      layPackage(name, { unpacked, root, arch });
      write(join(root, 'var/lib/dpkg/status.d', name), output('dpkg-deb', '--field', file));
    } finally {
      rmSync(unpacked, { recursive: true });
    }
  }
}

interface Places {
  readonly unpacked: string;
  readonly root: string;
  readonly arch: Architecture;
}

function layPackage(name: keyof typeof pins, { unpacked, root, arch }: Places): void {
  const { libraries }: Pin = pins[name];
  const copy = (path: string): void => {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    output('cp', '--no-dereference', join(unpacked, path), join(root, path));
  };
  for (const library of libraries) {
    const paths = [`lib/${arch.triplet}/${library}`, `usr/lib/${arch.triplet}/${library}`];
    copy(paths.find((path) => existsSync(join(unpacked, path))) ?? paths.join(' or '));
  }
  // Packages of the compiler have a link to its own text in this place.
  const text = `usr/share/doc/${name}`;
  copy(lstatSync(join(unpacked, text)).isSymbolicLink() ? text : `${text}/copyright`);
  if (name === 'libc6') for (const path of [`lib/${arch.triplet}/${basename(arch.loader)}`, arch.loader]) copy(path);
  if (name !== 'ca-certificates') return;
  write(join(root, certificates.path), joined(join(unpacked, 'usr/share/ca-certificates/mozilla')));
}

/** Joins them as Debian's update-ca-certificates does. */
function joined(folder: string): string {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.crt'))
    .sort();
  return names.map((name) => `${readFileSync(join(folder, name), 'utf8').trimEnd()}\n`).join('');
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
