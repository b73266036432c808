import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { serve } from '../../packages/controller/test/cluster/loopback.ts';
import { issueAuthority, issueLeaf } from '../../packages/issuing/issue.ts';
import { anInstallation } from './installation.ts';

const run = promisify(execFile);
const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
const life = { notBefore: at(-60_000), notAfter: at(3_600_000) };

/** What deploy/overlays/secure lets send, each as a process of its own that says what came of it. */
const senders = {
  'the first resync': ['deploy/first-resync/send.mjs'],
  'a function': [
    '--input-type=module',
    '--eval',
    `import { createSender } from './packages/controller/broker/send.ts';
     const sender = createSender({ sink: process.env.K_SINK, timeoutMs: 2000, waits: [] });
     const event = { id: '1', source: '/test', type: 'dev.knudge.resync.due', time: '2026-01-01T00:00:00Z', extensions: {} };
     await sender.send(event).then(() => console.log('202'), ({ message }) => console.log(message));
     sender.close();`,
  ],
} as const;

for (const [who, args] of Object.entries(senders)) {
  test(`${who} sends to a Broker by https, and trusts who signs for it where the overlay secure says who does`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'knudge-encrypted-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const authority = await issueAuthority({ commonName: 'of the Brokers', ...life });
    const names = { commonName: 'broker', dnsNames: ['localhost'], usage: 'server' } as const;
    const { certificate, key } = await issueLeaf({ authority, ...names, ...life });
    const broker = await serve(t, () => ({ status: 202, body: '' }), { cert: certificate, key });
    const ca = join(folder, 'ca.crt');
    writeFileSync(ca, authority.certificate);
    const { env: installed } = await anInstallation(t);
    const env = { ...installed, K_SINK: `${broker.url}/knudge/knudge`, NODE_NO_WARNINGS: '1', GIVE_UP_MS: '500' };
    assert.match(await saidBy(args, { ...env, NODE_EXTRA_CA_CERTS: ca }), /\b202\b/);
    const taken = broker.seen.length;
    assert.ok(taken > 0);
    const said = await saidBy(args, env);
    assert.match(said, /unable to verify the first certificate|unable to get local issuer certificate/);
    assert.equal(broker.seen.length, taken, 'to nobody else does it show a token');
  });
}

/** What a process says until it ends, however that is. */
async function saidBy(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const ended = run(process.execPath, args, { env, timeout: 10_000 });
  return ended.then(
    ({ stdout }) => stdout,
    ({ stdout }: { readonly stdout: string }) => stdout,
  );
}
