import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiFrom, testKubeconfig } from './api.ts';
import { until } from './until.ts';

const namespace = `fake-node-${process.pid}`;
const pods = `/api/v1/namespaces/${namespace}/pods`;
const spec = { containers: [{ name: 'app', image: 'app' }] };

test('a Pod that is made anew under its name at once is not taken for the one before it', async (context) => {
  const api = apiFrom(testKubeconfig());
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  assert.equal((await api('POST', '/api/v1/namespaces', { body })).status, 201);
  context.after(() => api('DELETE', `/api/v1/namespaces/${namespace}`));
  const replaceOften = async (name: string): Promise<number> => {
    let lost = 0;
    for (let times = 0; times < 20; times += 1) {
      await until('the Pod is made', async () => {
        const { status } = await api('POST', pods, {
          body: { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec },
        });
        return status === 201 || status;
      });
      await until('the Pod runs', async () => {
        const { status, body } = await api('GET', `${pods}/${name}`);
        if (status === 404) lost += 1;
        return status === 404 || JSON.stringify(body).includes('"phase":"Running"') || body;
      });
      await api('DELETE', `${pods}/${name}`);
    }
    return lost;
  };
  const lost = await Promise.all(Array.from({ length: 8 }, (_, n) => replaceOften(`made-anew-${n}`)));
  assert.deepEqual(lost, [0, 0, 0, 0, 0, 0, 0, 0]);
});
