import type { KnudgeError } from '../packages/controller/domain/errors.ts';
import type { QuestionHandler } from '../packages/controller/domain/ports.ts';
import { askGate } from '../resources/distributed-service/gate/ask.ts';
import { refusal } from '../resources/distributed-service/gate/plugin.ts';

/** An FRP server asks whether a client may log in, take a name, a domain or a port, or stay. */
export const frpGate: QuestionHandler = (asked, context) => askGate(asked, context);

/** The answer if the function fails: the FRP server lets no client in. */
export const keepShut = ({ code }: KnudgeError): object =>
  refusal(`the gate cannot tell whether this is allowed (${code}): try again, and see its log`);
