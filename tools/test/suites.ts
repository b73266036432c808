import { globSync } from 'node:fs';

/**
 * `unit` and `faults` need only Node, `kube` and `faults-kube` a real API server, `dataplane` real frps, frpc and Envoy,
 * `node` both and a real node, with the kubelet, `knative` real Knative on such a node; `postgres` a server's programs,
 * `prometheus` promtool and Prometheus, `console` a browser, `security` a browser, a real API server, and real frps and frpc.
 */
export type Suite =
  | 'unit'
  | 'kube'
  | 'dataplane'
  | 'node'
  | 'knative'
  | 'knative-night'
  | 'postgres'
  | 'prometheus'
  | 'console'
  | 'security'
  | 'faults'
  | 'faults-kube';

interface Plan {
  readonly wants: (path: string) => boolean;
  /** Files at a time: two on two cores; one by one if they share a cluster and ports. */
  readonly concurrency: number;
  /** Seconds for one test: a slower one hangs. */
  readonly timeoutSeconds: number;
  /** Minutes for all of them: a file that never ends, because something in it stays open, is ended then. */
  readonly limitMinutes: number;
  /** Variables for its tests and what they start. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The least coverage of packages, resources, cli and functions, in percent. Measured with CI=true, when the whole suite runs: it takes a fifth more time. */
  readonly coverage?: Coverage;
}

export interface Coverage {
  readonly lines: number;
  readonly branches: number;
}

/** Unit tests that install something fail at once: all that they need came with `npm ci`. */
const installNothing = { npm_config_offline: 'true', PIP_NO_INDEX: '1', GOPROXY: 'off' };

const beyondUnit = /\.(kube|dataplane|node|knative|postgres|prometheus|console|security|faults)\.test\.ts$/;
/** An attack by traffic, which runs with the others. */
const attackByTraffic = 'test/dataplane/taken.dataplane.test.ts';
const isNight = (path: string) => path.endsWith('.night.knative.test.ts');
const isFaultsKube = (path: string) => path.endsWith('.faults.kube.test.ts');

export const suites: Readonly<Record<Suite, Plan>> = {
  unit: {
    wants: (path) => !beyondUnit.test(path),
    concurrency: 2,
    timeoutSeconds: 120,
    limitMinutes: 25,
    environment: installNothing,
    coverage: { lines: 98, branches: 90 },
  },
  kube: {
    wants: (path) => path.endsWith('.kube.test.ts') && !isFaultsKube(path),
    concurrency: 1,
    timeoutSeconds: 600,
    limitMinutes: 40,
  },
  dataplane: {
    wants: (path) => path.endsWith('.dataplane.test.ts') && path !== attackByTraffic,
    concurrency: 1,
    timeoutSeconds: 600,
    limitMinutes: 25,
  },
  node: {
    wants: (path) => path.endsWith('.node.test.ts'),
    concurrency: 1,
    timeoutSeconds: 300,
    limitMinutes: 20,
  },
  // One cluster for all files, which run in the order of their names: what one installs the next uses.
  knative: {
    wants: (path) => path.endsWith('.knative.test.ts') && !isNight(path),
    concurrency: 1,
    timeoutSeconds: 300,
    limitMinutes: 30,
  },
  // Tests that take too long for CI, on the same cluster: the install comes first.
  'knative-night': {
    wants: (path) => isNight(path) || path.endsWith('/1-install.knative.test.ts'),
    concurrency: 1,
    timeoutSeconds: 3000,
    limitMinutes: 90,
  },
  postgres: {
    wants: (path) => path.endsWith('.postgres.test.ts'),
    concurrency: 1,
    timeoutSeconds: 300,
    limitMinutes: 15,
  },
  prometheus: {
    wants: (path) => path.endsWith('.prometheus.test.ts'),
    concurrency: 1,
    // A dashboard is asked when a real server has scraped what happened, several times.
    timeoutSeconds: 180,
    limitMinutes: 8,
  },
  console: {
    wants: (path) => path.endsWith('.console.test.ts'),
    concurrency: 1,
    timeoutSeconds: 300,
    limitMinutes: 10,
  },
  security: {
    wants: (path) => path.endsWith('.security.test.ts') || path === attackByTraffic,
    concurrency: 1,
    timeoutSeconds: 300,
    limitMinutes: 15,
  },
  faults: {
    wants: (path) => path.endsWith('.faults.test.ts'),
    // One more than processors: some of them mostly wait.
    concurrency: 3,
    timeoutSeconds: 1800,
    limitMinutes: 60,
  },
  'faults-kube': { wants: isFaultsKube, concurrency: 1, timeoutSeconds: 2400, limitMinutes: 90 },
};

export function isSuite(name: string | undefined): name is Suite {
  return name !== undefined && Object.hasOwn(suites, name);
}

/** Tests lie beside what they test, or in test where they need several parts: those come first, for some want a cluster that is new. */
const folders = ['test', 'packages', 'resources', 'cli'];

/** Before beginnings of paths that are left out: two runs with the same ones, one of them after this, are the whole suite. */
const but = '--but';

/** The test files of a suite under a folder, in order; with beginnings of paths only those that begin so, and after `--but` the others. */
export function testFiles(suite: Suite, root: string, beginnings: readonly string[]): readonly string[] {
  const all = folders
    .flatMap((folder) => globSync(`${folder}/**/*.test.ts`, { cwd: root, exclude: ['**/node_modules'] }).sort())
    .filter(suites[suite].wants);
  const at = beginnings.includes(but) ? beginnings.indexOf(but) : beginnings.length;
  const [wanted, left] = [beginnings.slice(0, at), beginnings.slice(at + 1)];
  const begins = (path: string, starts: readonly string[]) => starts.some((start) => path.startsWith(start));
  return all.filter((path) => (wanted.length === 0 || begins(path, wanted)) && !begins(path, left));
}
