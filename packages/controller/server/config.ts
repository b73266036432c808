import { KnudgeError } from '../domain/errors.ts';
import { accounts, address, extensions, integer, namespace, oneOf, orNone, reader, text, url } from './forms.ts';
import { readSettings, type Settings, type ValuesOf } from './settings.ts';
import { type TracesConfig, tracesIn } from './traces-config.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const reportWays = ['none', 'header', 'event'] as const;

/** The senders whose events this function takes. */
export interface TrustedSenders {
  /** The issuer of their tokens, by its URL. */
  readonly issuer: string;
  /** The address of this function: it takes tokens alone that were made for it. */
  readonly audience: string;
  /** Names of ServiceAccounts, as tokens have them. */
  readonly subjects: readonly string[];
}

/** What the environment decides, checked; `Own` is what a controller reads of its own. */
export interface Config<Own = Readonly<Record<string, unknown>>> {
  readonly port: number;
  /** Where it listens; empty: at all addresses. On loopback it is for this machine alone. */
  readonly listenAddress: string;
  /** Log each step of the work, and at least at level debug. */
  readonly debug: boolean;
  readonly logLevel: (typeof logLevels)[number];
  readonly bodyLimitBytes: number;
  /** Where objects live that parents of all namespaces share. */
  readonly controllerNamespace: string;
  /** The namespace of the objects that this process lists; empty: it lists those of all namespaces. */
  readonly watchNamespace: string;
  /** For one call to the API server. */
  readonly apiTimeoutSeconds: number;
  /** For one event; below the Trigger's time-out, so that the Broker gets an answer. */
  readonly handlerDeadlineSeconds: number;
  /** For the answers that are owed when the process is told to leave. */
  readonly shutdownGraceSeconds: number;
  /** An API server on loopback; empty: find it otherwise. */
  readonly apiServerUrl: string;
  /** What that one is shown; empty: nothing. */
  readonly apiServerToken: string;
  /** Where events are sent to; empty where none are. */
  readonly sink: string;
  /** The file of the token that the Broker is shown; empty: none is. */
  readonly sinkTokenFile: string;
  /** PEM of a CA that is trusted besides the usual ones when an event is sent; empty: none. */
  readonly sinkCa: string;
  /** How it is reported what became of each event: not at all, in a header of the answer, or by events to the Broker. */
  readonly reportDeliveries: (typeof reportWays)[number];
  /** Attributes that each event of the source has besides its own. */
  readonly overrides: Readonly<Record<string, string>>;
  /** Where the source keeps what it has reported. */
  readonly sourceFile: string;
  /** The Lease that a process of the source waits for before it begins; empty: it begins at once. */
  readonly sourceLease: string;
  /** The file of the event log, where no database is named. */
  readonly eventLog: string;
  /** A PostgreSQL database for the event log; empty: the file. */
  readonly databaseUrl: string;
  readonly eventLogDays: number;
  readonly eventLogBytes: number;
  /** No process of the event log runs while no event comes, and none is missed. */
  readonly eventLogSleeps: boolean;
  /** The values of the controller's own variables, by their names. */
  readonly own: Own;
  /** If absent, every program that can reach this process may send events. */
  readonly trusted?: TrustedSenders;
  /** If absent, nothing is traced. */
  readonly traces?: TracesConfig;
  /** Whether it runs in a Pod: the kubelet says so. */
  readonly isInCluster: boolean;
  /** The Knative Service and its revision, for the log. */
  readonly service: string;
  readonly revision: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The configuration in these variables, with those that are a controller's own; an empty one counts as not set. Throws one
 * `misuse` that names every variable that is wrong, and what it must be.
 */
export function readConfig<Own extends Settings = Record<never, never>>(
  env: Environment,
  own: Own = {} as Own,
): Config<ValuesOf<Own>> {
  const problems: string[] = [];
  const read = reader(env, problems);
  const debug = read('DEBUG_MODE', 'false', oneOf(['true', 'false'])) === 'true';
  const logLevel = read('LOG_LEVEL', 'info', oneOf(logLevels));
  const service = read('K_SERVICE', 'knudge', text);
  const config = {
    port: read('PORT', '8080', integer(0, 65_535)),
    listenAddress: read('LISTEN_ADDRESS', '', address),
    debug,
    logLevel: debug && logLevel !== 'trace' ? 'debug' : logLevel,
    bodyLimitBytes: read('BODY_LIMIT_BYTES', String(2 * 1024 * 1024), integer(1024, 64 * 1024 * 1024)),
    controllerNamespace: read('CONTROLLER_NAMESPACE', 'knudge', namespace),
    watchNamespace: read('WATCH_NAMESPACE', '', orNone(namespace)),
    apiTimeoutSeconds: read('API_TIMEOUT_SECONDS', '5', integer(1, 300)),
    handlerDeadlineSeconds: read('HANDLER_DEADLINE_SECONDS', '9', integer(1, 600)),
    shutdownGraceSeconds: read('SHUTDOWN_GRACE_SECONDS', '30', integer(1, 600)),
    apiServerUrl: read('API_SERVER_URL', '', url(['http:'])),
    apiServerToken: read('API_SERVER_TOKEN', '', text),
    sink: read('K_SINK', '', url(['http:', 'https:'])),
    sinkTokenFile: read('K_SINK_TOKEN_FILE', '', text),
    reportDeliveries: read('REPORT_DELIVERIES', 'none', oneOf(reportWays)),
    sinkCa: read('K_CA_CERTS', '', text),
    overrides: read('K_CE_OVERRIDES', '', extensions),
    sourceFile: read('SOURCE_FILE', '/var/lib/knudge/source.db', text),
    sourceLease: read('SOURCE_LEASE', '', orNone(namespace)),
    eventLog: read('EVENT_LOG', '/var/lib/knudge/events.db', text),
    databaseUrl: read('DATABASE_URL', '', { ...url(['postgres:', 'postgresql:']), isSecret: true }),
    eventLogDays: read('EVENT_LOG_DAYS', '30', integer(1, 3650)),
    eventLogBytes: read('EVENT_LOG_BYTES', String(1024 ** 3), integer(1024 ** 2, 1024 ** 4)),
    eventLogSleeps: read('EVENT_LOG_SLEEPS', 'false', oneOf(['true', 'false'])) === 'true',
    own: readSettings(own, read),
    isInCluster: Boolean(env['KUBERNETES_SERVICE_HOST']),
    service,
    revision: read('K_REVISION', '', text),
    ...trustedSenders(env, read, problems),
    ...tracesIn(env, problems, service),
  } as const satisfies Config<ValuesOf<Own>>;
  if (problems.length > 0) throw new KnudgeError('misuse', `the environment is wrong: ${problems.join('; ')}`);
  return config;
}

/** Half of it would be a check that lets everybody in, or nobody. */
function trustedSenders(
  env: Environment,
  read: ReturnType<typeof reader>,
  problems: string[],
): Pick<Config, 'trusted'> | undefined {
  const names = ['OIDC_ISSUER', 'OIDC_AUDIENCE', 'OIDC_SUBJECTS'] as const;
  const missing = names.filter((name) => !env[name]);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0) problems.push(`${missing.join(' and ')} must be set too: ${names.join(', ')} go together`);
  const issuer = read('OIDC_ISSUER', '', url(['https:']));
  return {
    trusted: { issuer, audience: read('OIDC_AUDIENCE', '', text), subjects: read('OIDC_SUBJECTS', '', accounts) },
  };
}
