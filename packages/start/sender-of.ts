import { createSender } from '../controller/broker/send.ts';
import type { Sender } from '../controller/domain/ports.ts';
import type { Config } from '../controller/server/config.ts';
import { shareDeadline } from '../controller/server/deadline.ts';

/** Events a second: a Broker that only stores them takes far more than functions handle, and all other events wait behind them. */
const mostSent = 200;

/** What sends events to the Broker; absent where the environment names no Broker. */
export function senderOf({ sink, sinkTokenFile: tokenFile, handlerDeadlineSeconds }: Config): Sender | undefined {
  const timeoutMs = shareDeadline(handlerDeadlineSeconds).sendSeconds * 1000;
  return sink === '' ? undefined : createSender({ sink, tokenFile, timeoutMs, perSecond: mostSent });
}
