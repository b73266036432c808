import { test } from 'node:test';
import { prepareRealMesh } from '../../../../test/faults/real/real-mesh.ts';
import { until } from '../../../../test/kube/until.ts';
import { replayDay } from './day.ts';
import { writesAudited } from './write-count.ts';

const changes = Number(process.env['CHANGES'] ?? 40);
const namespace = `day-${process.pid}`;

test(`a day of ${changes} changes is recorded and replayed, on a real API server`, async (context) => {
  const audit = process.env['KNUDGE_TEST_AUDIT_LOG'];
  if (audit === undefined) throw new Error('KNUDGE_TEST_AUDIT_LOG is not set: use `npm run test:kube`');
  const { api, args, edit } = await prepareRealMesh(context);
  const path = `/api/v1/namespaces/${namespace}`;
  const clear = async (): Promise<void> => {
    await api('DELETE', path);
    await until('the namespace is gone', async () => (await api('GET', path)).status === 404, 120);
  };
  await replayDay(context, { namespace, args, edit, changes, writes: () => writesAudited(audit, namespace), clear });
});
