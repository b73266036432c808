import type { Access } from '../../controller/cluster/access.ts';
import { nameOf, type Watched } from '../../source/collection.ts';
import { pack } from '../../source/pack.ts';
import { runSource } from '../../source/run.ts';
import { watchedOf } from '../../source/watched.ts';
import { controllerIn } from '../../start/controller-in.ts';
import type { Report } from '../hop.ts';
import type { SourceSpec } from '../mesh-spec.ts';
import type { Running } from './api-server-source.ts';
import type { Send } from './send.ts';

export interface OwnSourceOptions {
  readonly access: Access;
  /** The version of Knudge, for the User-Agent. */
  readonly version: string;
  /** The folder of the project, whose functions say what they look at. */
  readonly root: string;
  /** The file in which it keeps what it has announced. */
  readonly file: string;
  readonly send: Send;
  readonly report: Report;
}

/** Runs Knudge's own source, all of whose specs have one name. Resolves when each watch stands or has failed for the first time. */
export async function startOwnSource(specs: readonly SourceSpec[], options: OwnSourceOptions): Promise<Running> {
  const { access, version, root, file, send, report } = options;
  const [{ name, namespace, overrides, namespaces } = noSpec] = specs;
  const { looksAt } = controllerIn(root);
  const watched = watchedOf(specs, { looksAt, namespaces: namespaces.kind === 'own' ? [namespace] : [] });
  const waiting = new Set(watched.map(nameOf));
  const first = Promise.withResolvers<void>();
  const source = runSource({
    access,
    version,
    file,
    watched,
    pack: (happening, { metadataOnly }) =>
      pack(happening, {
        source: access.server,
        namespace,
        overrides,
        now: () => new Date(),
        mode: metadataOnly ? 'Reference' : 'Resource',
      }),
    send: async ({ event }) => {
      const { status } = await send(event);
      const isTaken = status >= 200 && status < 300;
      if (isTaken) report({ kind: 'sent', source: name, event, attempts: 1, status });
      return isTaken;
    },
    tell: (one, state) => {
      report({ ...state, source: name, what: describe(one) });
      waiting.delete(nameOf(one));
      if (waiting.size === 0) first.resolve();
    },
    failed: (error) =>
      report({
        kind: 'warning',
        about: name,
        text: `cannot write what it has announced to its file: ${String(error)}`,
      }),
    takenOver: () => report({ kind: 'warning', about: name, text: 'another source has taken over its file' }),
    begunAnew: (error) =>
      report({
        kind: 'warning',
        about: name,
        text: `its file was broken, so it announces every object again: ${String(error)}`,
      }),
  });
  await first.promise;
  return { close: source.close };
}

/** Stands for an empty list of specs: such a source watches nothing. */
const noSpec = { name: '', namespace: '', overrides: {}, namespaces: { kind: 'all' } } as const;

function describe({ apiVersion, kind, selector }: Watched): string {
  return [`${kind} of ${apiVersion}`, selector && `with ${selector}`].filter((part) => part !== '').join(' ');
}
