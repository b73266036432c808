import { test } from 'node:test';
import { apiFrom, testKubeconfig } from '../kube/api.ts';
import { install } from '../kube/install.ts';
import { runScenario } from './scenario.ts';

test('the mesh on a real API server', async (context) => {
  await install(apiFrom(testKubeconfig()));
  await runScenario(context, ['--kubeconfig', testKubeconfig()]);
});
