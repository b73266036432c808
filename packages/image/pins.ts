import type { PinnedPackage } from './debian/fetch.ts';

/** A package of Debian, and the parts of it that are in the image. */
export interface Pin extends PinnedPackage {
  /** The licence of these files in the notation of SPDX; the package's own text is in the image, too. */
  readonly license: string;
  /** Files of the folder of libraries. */
  readonly libraries: readonly string[];
}

/** The parts of Debian 12 in the image: what Node.js loads, and the certificates of the public authorities. */
export const pins = {
  libc6: {
    version: '2.36-9+deb12u14',
    sha256: {
      x64: 'ba4f88f73dbc3ae9055f3c20f4523bfdbaf1ad13ff95e258924f77d20b4fbedf',
      arm64: '01f4330719fd4f65580e16ea5a0527f372fca750e8f588d26deaf09f2d3b1cf4',
    },
    license: 'LGPL-2.1-or-later',
    libraries: ['libc.so.6', 'libdl.so.2', 'libm.so.6', 'libpthread.so.0'],
  },
  // It has the licence text of the next two.
  'gcc-12-base': {
    version: '12.2.0-14+deb12u1',
    sha256: {
      x64: '1896a2aacf4ad681ff5eacc24a5b0ca4d5d9c9b9c9e4b6de5197bc1e116ea619',
      arm64: '674cf6cba6d432bd200c45fe866c1652c7a53523cc2e7a613e05bc4abf7b5440',
    },
    license: 'GPL-3.0-or-later WITH GCC-exception-3.1',
    libraries: [],
  },
  'libgcc-s1': {
    version: '12.2.0-14+deb12u1',
    sha256: {
      x64: '3016e62cb4b7cd8038822870601f5ed131befe942774d0f745622cc77d8a88f7',
      arm64: '576926b283613db80168ddf76380a3bd877602778cf0d226caa7bfbfa71eacf3',
    },
    license: 'GPL-3.0-or-later WITH GCC-exception-3.1',
    libraries: ['libgcc_s.so.1'],
  },
  'libstdc++6': {
    version: '12.2.0-14+deb12u1',
    sha256: {
      x64: '5cd3171216d4ab0fc911cfe9c35509bf2dd8f47761c43b7f6a4296701551a24d',
      arm64: '26e138c677a985775331373828a6c286c551ff397cb735d00e2383cb273d1cb2',
    },
    license: 'GPL-3.0-or-later WITH GCC-exception-3.1',
    libraries: ['libstdc++.so.6', 'libstdc++.so.6.0.30'],
  },
  'ca-certificates': {
    version: '20250419~deb12u2',
    sha256: {
      x64: 'b9f76b5271a7ac373fd5e7e1b5b826a71ddd702b42a0d104955ecb1acfffc94b',
      arm64: 'b9f76b5271a7ac373fd5e7e1b5b826a71ddd702b42a0d104955ecb1acfffc94b',
    },
    license: 'MPL-2.0',
    libraries: [],
  },
} as const satisfies Readonly<Record<string, Pin>>;
