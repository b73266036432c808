/** A test that takes too long for CI. */
export interface Part {
  readonly name: string;
  readonly what: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** After this time it is ended and has failed. */
  readonly minutes: number;
}

/** The limit for all parts together. */
export const nightMinutes = 240;

/** What takes more than a night is divided into shares, one a night; after this many nights all of it has run. */
const shares = { doubles: 20, schedules: 60 };
const stormSeeds = 1300;

/**
 * The parts of a night, by its number: the random draws, and the share, differ from night to night. Their limits come
 * from the lengths in docs/reliability.md; what is compiled has been compiled before. No whole night has been run yet.
 */
export function partsOf(night: number): readonly Part[] {
  const share = (of: keyof typeof shares) => `${(night % shares[of]) + 1}/${shares[of]}`;
  const ofAll = (of: keyof typeof shares) => `share ${share(of)} of what there is`;
  const [faults, matrix] = [npmRun('test:faults'), npmRun('matrix')];
  const turn = night % (knativeShares.length + 1);
  return [
    { name: 'faults', what: 'the faults, with all calm runs and fuzzed events', command: faults(), minutes: 56 },
    {
      name: 'faults-kube',
      what: 'the faults on a real API server, with its 600 plans',
      command: npmRun('test:faults:kube')(),
      minutes: 55,
    },
    ...(turn === knativeShares.length ? [soakPart(night)] : [singlesPart(night), knativePart(turn)]),
    {
      name: 'doubles',
      what: `double faults: ${ofAll('doubles')}`,
      command: matrix('--doubles', '--part', share('doubles')),
      minutes: 8,
    },
    {
      name: 'schedules',
      what: `schedules of two handlers: ${ofAll('schedules')}`,
      command: matrix('--schedules', '--part', share('schedules')),
      minutes: 8,
    },
    {
      name: 'storms',
      what: `${stormSeeds} storms from seeds of this night`,
      command: npmRun('storm')('--seeds', String(stormSeeds), '--from', String(night * stormSeeds)),
      minutes: 10,
    },
    {
      name: 'fuzz',
      what: 'a million fuzzed events, drawn anew',
      command: faults('test/faults/input/events'),
      environment: { FUZZ_EVENTS: '1000000', FUZZ_SEED: String(night) },
      minutes: 8,
    },
    { name: 'bench-mesh', what: 'the figures of the mesh', command: npmRun('bench:mesh')(), minutes: 8 },
    {
      name: 'bench-peers',
      what: 'a little of each peer, and Knudge, on a real API server',
      command: npmRun('bench:peers')('--smoke'),
      minutes: 4,
    },
    { name: 'bench-warm', what: 'what each further event costs', command: npmRun('bench:warm')(), minutes: 4 },
    { name: 'bench-event-log', what: 'the figures of the event log', command: npmRun('bench:event-log')(), minutes: 5 },
    { name: 'bench-dataplane', what: 'requests through a tunnel', command: npmRun('bench:dataplane')(), minutes: 4 },
  ];
}

function singlesPart(night: number): Part {
  return {
    name: 'singles',
    what: 'every single fault of sixteen scenarios, and some of the others from a seed of this night',
    command: npmRun('test:faults')('test/faults/matrix/singles'),
    environment: { SINGLES: 'all', SEED: String(night) },
    minutes: 25,
  };
}

/** In one night starts and losses, in the next two the installation: each begins with an installation. */
function knativePart(turn: number): Part {
  const share = knativeShares[turn];
  const files = ['1-install', ...(share?.files ?? [])].map((name) => `test/knative/${name}`);
  const command = npmRun('test:knative:night')(...files);
  return { name: 'knative', what: `on real Knative tonight ${share?.what ?? ''}`, command, minutes: 45 };
}

/** In the night after those three: it uses the time that real Knative and the single faults have in the others. */
function soakPart(night: number): Part {
  return {
    name: 'soak',
    what: 'an hour of edits while the source that loses nothing is killed again and again',
    command: npmRun('test:faults:kube')('test/faults/real/lossless'),
    environment: { SOAK_MINUTES: '60', SEED: String(night) },
    minutes: 70,
  };
}

const knativeShares = [
  { what: 'starts and losses', files: ['5'] },
  { what: 'overlays and chart', files: ['7'] },
  { what: 'upgrade and uninstall', files: ['8', '9'] },
] as const;

/** Days since 1970: the number of the night. */
export function nightOf(date: Date): number {
  return Math.floor(date.getTime() / 86_400_000);
}

function npmRun(script: string): (...args: readonly string[]) => readonly string[] {
  return (...args) => ['npm', 'run', script, ...(args.length > 0 ? ['--', ...args] : [])];
}
