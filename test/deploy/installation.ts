import type { TestContext } from 'node:test';
import { type Loopback, serve } from '../../packages/controller/test/cluster/loopback.ts';

/** What the API server of an installation says: which objects are ready, and which round of the resync is through. */
export interface Installation {
  readonly api: Loopback;
  /** `triggers/resync-due` and so on, with why each is not ready. */
  readonly lacking: Map<string, string>;
  /** The last round that is through, as the Lease has it. */
  through: string | undefined;
  /** For the process of the Job. */
  readonly env: Readonly<Record<string, string>>;
}

const names = { TRIGGERS: 'resync-due message-changed', SOURCES: 'cluster-objects' };

/** An API server with the Triggers and the source that the Job waits for, all of them ready. */
export async function anInstallation(t: TestContext): Promise<Installation> {
  const lacking = new Map<string, string>();
  const api = await serve(t, ({ url }) => {
    const [plural = '', name = ''] = url.split('/').slice(-2);
    if (plural === 'leases') {
      const { through } = installation;
      if (through === undefined) return { status: 404 };
      return { body: { metadata: { annotations: { 'knudge.dev/round': through } } } };
    }
    const reason = lacking.get(`${plural}/${name}`);
    if (reason === 'not there') return { status: 404 };
    const ready = reason === undefined ? { status: 'True' } : { status: 'False', reason };
    const observedGeneration = reason === 'of an older generation' ? 1 : 2;
    const condition = { type: 'Ready', ...(observedGeneration === 1 ? { status: 'True' } : ready) };
    return { body: { metadata: { generation: 2 }, status: { observedGeneration, conditions: [condition] } } };
  });
  const env = { ...names, API_SERVER_URL: api.url, RETRY_MS: '10', SETTLE_MS: '300', NAMESPACE: 'team-a' };
  const installation: Installation = { api, lacking, through: undefined, env };
  return installation;
}
