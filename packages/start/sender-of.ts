import { createSender } from '../controller/broker/send.ts';
import type { Sender } from '../controller/domain/ports.ts';
import type { Config } from '../controller/server/config.ts';
import { shareDeadline } from '../controller/server/deadline.ts';

/** Events a second: a Broker that only stores them takes far more than functions handle, and all other events wait behind them. */
const mostSent = 200;

/** Gives what sends events to the Broker; undefined where the environment names no Broker. */
export type SenderOf = () => Sender | undefined;

/**
 * A process makes its sender when a part first asks for it. All parts get the same one, so they share its connections and the events that
 * it sends in a second.
 */
export function senderOf({ sink, sinkTokenFile: tokenFile, handlerDeadlineSeconds }: Config): SenderOf {
  let made: Sender | undefined;
  return () => {
    if (sink === '') return undefined;
    const timeoutMs = shareDeadline(handlerDeadlineSeconds).sendSeconds * 1000;
    made ??= createSender({ sink, tokenFile, timeoutMs, perSecond: mostSent });
    return made;
  };
}
