// Sends one event to the Broker, and tries until the Broker takes it or the Job is over.
import { readFile } from 'node:fs/promises';

const { K_SINK = '', K_SINK_TOKEN_FILE, RETRY_MS = '3000' } = process.env;
const headers = {
  'ce-specversion': '1.0',
  'ce-id': crypto.randomUUID(),
  'ce-source': '/knudge/first-resync',
  'ce-type': 'dev.knudge.resync.due',
};

for (;;) {
  const told = await send();
  console.log(JSON.stringify({ time: new Date().toISOString(), sink: K_SINK, event: headers['ce-id'], told }));
  if (/^2\d\d$/.test(told)) break;
  // The address of a Broker that is not ready is answered 404, and one that has none yet not at all.
  await new Promise((resolve) => setTimeout(resolve, Number(RETRY_MS)));
}

/** The status, or why there is none. */
async function send() {
  try {
    const token = K_SINK_TOKEN_FILE && (await readFile(K_SINK_TOKEN_FILE, 'utf8')).trim();
    const { status } = await fetch(K_SINK, {
      method: 'POST',
      headers: { ...headers, ...(token && { authorization: `Bearer ${token}` }) },
      signal: AbortSignal.timeout(60_000),
    });
    return String(status);
  } catch (error) {
    return error.cause?.message ?? error.message;
  }
}
