import { test } from 'node:test';
import { runScenario } from './scenario.ts';

test('the mesh on the embedded API', (context) => runScenario(context, []));
