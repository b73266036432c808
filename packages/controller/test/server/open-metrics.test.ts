import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metricTable } from '../../server/metric-table.ts';
import { createMetrics } from '../../server/metrics.ts';

test('in OpenMetrics each bucket shows the last value that is in a trace, and the end is marked', async () => {
  const metrics = createMetrics({ reconciles: {}, now: () => 0 });
  const [one, other] = ['1'.repeat(32), '2'.repeat(32)];
  metrics.reconciled('Message', 'done', { seconds: 0.003, traceId: one });
  metrics.reconciled('Message', 'done', { seconds: 0.004, traceId: other });
  metrics.reconciled('Message', 'done', { seconds: 0.002 });
  metrics.reconciled('Message', 'done', { seconds: 99, traceId: one });
  metrics.reconcileFailed('conflict');
  const text = await metrics.render('OpenMetrics');
  const { name } = metricTable.reconcileDuration;
  const of = (le: string) => `${name}_bucket{kind="Message",result="done",le="${le}"}`;
  const shown = text.split('\n').filter((line) => line.includes(' # '));
  assert.deepEqual(
    shown.filter((line) => !line.startsWith('#')),
    [`${of('0.005')} 3 # {trace_id="${other}"} 0.004`, `${of('+Inf')} 4 # {trace_id="${one}"} 99`],
  );
  assert.match(
    text,
    /^# TYPE knudge_reconcile_errors counter\nknudge_reconcile_errors_total\{error_type="conflict"\} 1$/m,
  );
  assert.match(text, /\n# EOF\n$/);
  assert.doesNotMatch(await metrics.render(), /trace_id|EOF/);
});
