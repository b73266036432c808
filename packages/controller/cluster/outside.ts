import type { RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import { KnudgeError } from '../domain/errors.ts';
import type { Access, Credentials } from './access.ts';

export interface KubeconfigOptions {
  /** If absent, KUBECONFIG or ~/.kube/config, as kubectl does it. */
  readonly kubeconfig?: string;
  /** A context other than the current one. */
  readonly context?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Tokens of commands and OIDC are asked for again after this; the client itself keeps them until they expire. */
const freshMs = 30_000;
/** A command that gives credentials may ask a person, so it gets this long. */
const longestMs = 60_000;

/**
 * Access by a kubeconfig, with client certificates, tokens, commands and OIDC. The only place that loads the Kubernetes
 * client: it is too heavy for what wakes in a cluster. Throws `misuse` with what is wrong with the kubeconfig.
 */
export async function outsideCluster(options: KubeconfigOptions = {}): Promise<Access> {
  const { now = Date.now } = options;
  let config = await loadKubeconfig(options);
  const { server } = currentCluster(config, options);
  let kept: { readonly credentials: Promise<Credentials>; readonly at: number } | undefined;
  return {
    server,
    credentials: (renewed) => {
      if (kept !== undefined && !renewed && now() - kept.at < freshMs) return kept.credentials;
      const credentials = renewed ? renew() : credentialsOf(config);
      kept = { credentials, at: now() };
      credentials.catch(() => {
        kept = undefined;
      });
      return credentials;
    },
  };

  /** The client keeps a command's token until it expires, so a refused one needs a new client. OIDC renews by itself. */
  async function renew(): Promise<Credentials> {
    if (config.getCurrentUser()?.authProvider?.name !== 'oidc') config = await loadKubeconfig(options);
    return credentialsOf(config);
  }
}

/** The kubeconfig as the client reads it, with plain HTTP allowed. */
export async function loadKubeconfig({ kubeconfig, context }: KubeconfigOptions): Promise<KubeConfig> {
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  try {
    if (kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(kubeconfig);
  } catch (cause) {
    throw unreadable(kubeconfig, cause);
  }
  // The client's default if it finds no kubeconfig: localhost, which the user never named.
  if (config.getCurrentContext() === 'loaded-context') {
    throw new KnudgeError('misuse', 'There is no kubeconfig: name one, set KUBECONFIG or make ~/.kube/config');
  }
  if (context !== undefined) config.setCurrentContext(context);
  // The client refuses plain HTTP without this flag; the connections allow it on loopback only.
  const clusters = config
    .getClusters()
    .map((one) => (one.server.startsWith('http:') ? { ...one, skipTLSVerify: true } : one));
  const [contexts, users, currentContext] = [config.getContexts(), config.getUsers(), config.getCurrentContext()];
  config.loadFromOptions({ clusters, contexts, users, currentContext });
  return config;
}

function unreadable(kubeconfig: string | undefined, cause: unknown): KnudgeError {
  const name = kubeconfig ?? 'The default kubeconfig';
  const code = codeOf(cause);
  if (code === 'ENOENT')
    return new KnudgeError('misuse', `${name} does not exist: name a kubeconfig that does`, { cause });
  if (code !== '')
    return new KnudgeError('misuse', `${name} cannot be read (${code}): check its owner and mode`, { cause });
  // The parser's error quotes the file, which holds credentials.
  return new KnudgeError('misuse', `${name} is not a kubeconfig: check that kubectl can use it`);
}

function currentCluster(
  config: KubeConfig,
  { kubeconfig = 'The kubeconfig' }: KubeconfigOptions,
): { readonly server: string } {
  const name = config.getCurrentContext();
  if (!name) throw new KnudgeError('misuse', `${kubeconfig} has no current-context: set it or name a context`);
  const context = config.getContextObject(name);
  if (context === null) {
    const names = config.getContexts().map((one) => one.name);
    throw new KnudgeError('misuse', `${kubeconfig} has no context ${name}: name one of ${names.join(', ')}`);
  }
  const cluster = config.getCluster(context.cluster);
  if (cluster === null)
    throw new KnudgeError('misuse', `${kubeconfig} has no cluster ${context.cluster}: correct its context ${name}`);
  if (config.getUser(context.user) === null) {
    throw new KnudgeError('misuse', `${kubeconfig} has no user ${context.user}: correct its context ${name}`);
  }
  if (cluster.proxyUrl !== undefined) {
    throw new KnudgeError(
      'misuse',
      `${kubeconfig}: proxy-url of cluster ${cluster.name} is not supported: use a direct address`,
    );
  }
  return cluster;
}

async function credentialsOf(config: KubeConfig): Promise<Credentials> {
  const options: RequestOptions = {};
  await bounded(config.applyToHTTPSOptions(options)).catch((cause: unknown) => {
    throw noCredentials(config, cause);
  });
  const authorization = authorizationOf(options);
  const impersonate = headerOf(options, 'Impersonate-User');
  const [ca, cert, key] = [textOf(options.ca), textOf(options.cert), textOf(options.key)];
  return {
    ...(authorization !== undefined && { authorization }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(options.servername !== undefined && { serverName: options.servername }),
    ...(options.rejectUnauthorized === false && { insecure: true }),
    ...(impersonate !== undefined && { impersonate }),
  };
}

/** Does not repeat what a command printed: it may be the credentials. */
function noCredentials(config: KubeConfig, cause: unknown): KnudgeError {
  const user = config.getCurrentUser();
  const command: unknown = user?.exec?.command;
  const name = typeof command === 'string' ? `the command ${command}` : `user ${user?.name ?? ''}`;
  if (cause instanceof KnudgeError) return new KnudgeError('unauthorized', `The kubeconfig: ${name}: ${cause.message}`);
  const code = codeOf(cause);
  if (code === 'ENOENT') {
    const advice = typeof command === 'string' ? 'install it or correct the path' : 'correct the path of its file';
    return new KnudgeError('unauthorized', `The kubeconfig: ${name} cannot be found: ${advice}`);
  }
  const why = code === '' ? '' : ` (${code})`;
  return new KnudgeError('unauthorized', `The kubeconfig: ${name} gave no credentials${why}: try kubectl with it`);
}

async function bounded(work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const late = new KnudgeError('unauthorized', `no credentials within ${longestMs / 1000} s`);
  const timer = setTimeout(() => reject(late), longestMs);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

function authorizationOf(options: RequestOptions): string | undefined {
  if (typeof options.auth === 'string') return `Basic ${Buffer.from(options.auth).toString('base64')}`;
  return headerOf(options, 'Authorization');
}

function headerOf({ headers }: RequestOptions, name: string): string | undefined {
  const value: unknown = new Map(Object.entries(headers ?? {})).get(name);
  return typeof value === 'string' ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return Buffer.isBuffer(value) ? value.toString() : undefined;
}

function codeOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}

/** How the client of Kubernetes reads a quantity, such as `48Mi`. */
export async function quantityReader(): Promise<(quantity: string) => number | bigint> {
  return (await import('@kubernetes/client-node/dist/util.js')).quantityToScalar;
}
