import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { ClusterError } from './errors.ts';
import { isOlder } from './pins.ts';

export type GoBuild = {
  /** What is built, for messages. */
  name: string;
  /** The folder of its Go module. */
  module: string;
  /** A main package, or several, which then are built together. */
  target: string | readonly string[];
  /** The path of the program; for several packages the folder, in which each has the name of the last part of its package. */
  output: string;
  ldflags: string;
  /** How many packages it has in all; those in Go's own cache are not compiled again. */
  packages: number;
};

const buildTimeoutMs = 90 * 60_000;
const reportEveryMs = 5_000;
const remedy =
  'install it (https://go.dev/dl), or point KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver, or KNUDGE_CLUSTER_KUBECONFIG to a cluster';

/** The version of the Go compiler. Throws ClusterError if Go is missing or too old for the pinned modules. */
export function goVersion(needed: string): string {
  const go = spawnSync('go', ['env', 'GOVERSION', 'GOTOOLCHAIN'], { cwd: tmpdir(), encoding: 'utf8', timeout: 60_000 });
  if (go.error !== undefined || go.status !== 0) {
    throw new ClusterError(`Go ${needed} or newer is needed to build the test cluster and is not on PATH: ${remedy}.`);
  }
  const [version = '', toolchain = ''] = go.stdout.split('\n');
  // With "auto" an older Go fetches the newer one by itself.
  if (isOlder(version, needed) && !toolchain.includes('auto')) {
    throw new ClusterError(
      `Go ${needed} or newer is needed to build the test cluster and this one is ${version} (GOTOOLCHAIN=${toolchain}): ${remedy}.`,
    );
  }
  return version;
}

/** Compiles one program and prints its progress every few seconds. Throws ClusterError with the compiler's output. */
export function goBuild(build: GoBuild, log: (line: string) => void): Promise<void> {
  // -trimpath and CGO_ENABLED=0 make builds repeatable; another set of flags would compile every package once more.
  if (typeof build.target !== 'string') mkdirSync(build.output);
  const args = ['build', '-v', '-trimpath', `-ldflags=-s -w ${build.ldflags}`, '-o', build.output];
  args.push(...[build.target].flat());
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOWORK: 'off' };
  const go = spawn('go', args, {
    cwd: build.module,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: buildTimeoutMs,
  });
  const progress = new Progress(build);
  createInterface({ input: go.stderr }).on('line', (line) => progress.read(line));
  const end = () => go.kill();
  process.once('exit', end);
  const ticker = setInterval(() => log(progress.sentence()), reportEveryMs);
  return new Promise<void>((done, failed) => {
    go.once('error', (error) => failed(new ClusterError(`go build of ${build.name} did not start: ${error.message}.`)));
    go.once('close', (code, signal) => {
      log(progress.sentence());
      if (code === 0) return done();
      const how = signal === null ? 'failed' : `was ended (${signal}) after ${progress.minutes()}`;
      failed(
        new ClusterError(
          `go build of ${build.name} ${how} (the first time it needs the Go module proxy and 4 GB of disk):\n${progress.complaints.slice(-20).join('\n')}`,
        ),
      );
    });
  }).finally(() => {
    clearInterval(ticker);
    process.off('exit', end);
  });
}

/** Counts the lines of `go build -v`: one for each module it fetches and each package it compiles. */
class Progress {
  readonly complaints: string[] = [];
  readonly #build: GoBuild;
  readonly #startedAt = Date.now();
  #modules = 0;
  #packages = 0;

  constructor(build: GoBuild) {
    this.#build = build;
  }

  read(line: string): void {
    if (line.startsWith('go: downloading ')) this.#modules += 1;
    else if (/^[\w.~/+-]+$/.test(line)) this.#packages += 1;
    else this.complaints.push(line);
  }

  minutes(): string {
    const seconds = Math.round((Date.now() - this.#startedAt) / 1000);
    return `${Math.floor(seconds / 60)}m${String(seconds % 60).padStart(2, '0')}s`;
  }

  sentence(): string {
    const { name, packages } = this.#build;
    const modules = this.#modules === 0 ? '' : `, ${this.#modules} modules downloaded`;
    return `${name}: ${this.#packages} of at most ${packages} packages compiled${modules}, ${this.minutes()}`;
  }
}
