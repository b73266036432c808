import { BuildError } from './errors.ts';

/** One kind of machine, by the names that Debian, Node and others have for it. */
export interface Architecture {
  readonly node: 'x64' | 'arm64';
  /** The name in Debian and in OCI images. */
  readonly debian: 'amd64' | 'arm64';
  /** Debian's name for the folder of libraries. */
  readonly triplet: string;
  /** The path by which programs name the loader of their libraries. */
  readonly loader: string;
}

const all = {
  x64: { node: 'x64', debian: 'amd64', triplet: 'x86_64-linux-gnu', loader: '/lib64/ld-linux-x86-64.so.2' },
  arm64: { node: 'arm64', debian: 'arm64', triplet: 'aarch64-linux-gnu', loader: '/lib/ld-linux-aarch64.so.1' },
} as const satisfies Record<string, Architecture>;

/** This machine's. An image is for the machine that builds it: V8's code cache is made by running it. Throws BuildError for others. */
export function thisArchitecture(): Architecture {
  if (process.platform === 'linux' && (process.arch === 'x64' || process.arch === 'arm64')) return all[process.arch];
  throw new BuildError(
    `An image is built on Linux on x64 or arm64, and this is ${process.platform} on ${process.arch}: use the Dockerfile.`,
  );
}
