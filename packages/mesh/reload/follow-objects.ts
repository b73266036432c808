import type { Access } from '../../controller/cluster/access.ts';
import { createLook } from '../../controller/cluster/look.ts';
import { createTransport } from '../../controller/cluster/transport.ts';
import { startWatch } from '../../controller/cluster/watch.ts';
import { asKnudgeError } from '../../controller/domain/errors.ts';
import type { KubeObject } from '../../controller/domain/kube-object.ts';
import { guessedPlural, versionPath } from '../../controller/domain/plural.ts';
import { followedKinds } from './live-spec.ts';

interface Following {
  readonly access: Access;
  /** The version of Knudge, for the User-Agent. */
  readonly version: string;
  /** Takes all objects that the mesh follows, after each change of one. */
  readonly settle: (live: readonly KubeObject[]) => Promise<void>;
  readonly failed: (why: string) => void;
}

/** Milliseconds: one kubectl apply changes several objects one after the other. */
const quietMs = 100;

/** Watches the Triggers and sources of an API, and reads all of them after a change. */
export function followObjects({ access, version, settle, failed }: Following): { close(): Promise<void> } {
  const transport = createTransport({ access, version });
  const look = createLook(transport);
  const state: { timer?: NodeJS.Timeout; queue: Promise<void> } = { queue: Promise.resolve() };
  const readAll = async (): Promise<void> => {
    try {
      const lists = followedKinds.map((one) => look.list({ ...one, plural: guessedPlural(one.kind) }));
      await settle((await Promise.all(lists)).flat());
    } catch (error) {
      failed(asKnudgeError(error).message);
    }
  };
  const soon = (): void => {
    clearTimeout(state.timer);
    state.timer = setTimeout(() => {
      state.queue = state.queue.then(readAll);
    }, quietMs);
  };
  const watches = followedKinds.map(({ apiVersion, kind }) =>
    startWatch({
      access,
      version,
      path: `${versionPath(apiVersion)}/${guessedPlural(kind)}`,
      selector: '',
      seen: async () => soon(),
      tell: () => soon(),
    }),
  );
  return {
    close: async () => {
      await Promise.all(watches.map((one) => one.close()));
      clearTimeout(state.timer);
      await state.queue;
      transport.close();
    },
  };
}
