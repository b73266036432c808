import { asKnudgeError } from '../domain/errors.ts';
import type { Attributes, SpanEnd, Traced } from '../domain/spans.ts';
import { type Call, isRead, type Transport, tried } from './call.ts';
import { writtenBy } from './heard.ts';

/** The same transport; each call is a span below the given one, and the version that it writes is remembered as its work. */
export function tracing(transport: Transport, { tracer, span }: Traced): Transport {
  return async (call) => {
    const one = tracer.start(`${call.verb} ${call.resource}`, {
      kind: 'client',
      parent: span.context,
      attributes: attributesOf(call),
    });
    const end = (how: SpanEnd): void => one.end(how);
    try {
      const answer = await transport(call);
      const written = isRead(call) || call.verb === tried ? undefined : writtenBy(call, answer);
      // An Event for people is no object that an event comes of.
      if (written !== undefined && call.resource !== 'events') tracer.wrote(written, one.context);
      end({
        attributes: { 'knudge.object.uid': written?.uid, 'knudge.object.version': written?.resourceVersion },
      });
      return answer;
    } catch (error) {
      const { code, message } = asKnudgeError(error);
      end({ attributes: { 'error.type': code }, error: message });
      throw error;
    }
  };
}

function attributesOf({ method, path, target, resource }: Call): Attributes {
  return {
    'http.request.method': method,
    'url.path': path,
    'knudge.target': target,
    'knudge.resource': resource,
  };
}
