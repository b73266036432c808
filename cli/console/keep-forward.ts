import type { LogForward } from '../cluster/forward-log.ts';

/** The event log of a cluster for a long time: a port-forward leads to one Pod, and Pods are replaced. */
export interface KeptForward {
  url(): string;
  token(): Promise<string>;
  /** Forwards anew, to the Pod that is ready now; without one the forward stays as it is. Never rejects. */
  again(): Promise<void>;
  close(): Promise<void>;
}

/** Keeps a forward that `open` makes. */
export async function keepForward(open: () => Promise<LogForward>): Promise<KeptForward> {
  let forward = await open();
  let running: Promise<void> | undefined;
  const renew = async (): Promise<void> => {
    const before = forward;
    forward = await open();
    await before.close();
  };
  return {
    url: () => forward.url,
    token: () => forward.token(),
    again: () => {
      running ??= renew()
        .catch(() => undefined)
        .finally(() => {
          running = undefined;
        });
      return running;
    },
    close: async () => {
      await running;
      await forward.close();
    },
  };
}
