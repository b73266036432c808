import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { stringify } from 'yaml';
import type { AlertCase } from './alert-case.ts';
import { cases } from './cases.ts';
import { forged } from './hostile-pod.ts';
import { runPromtool } from './promtool.ts';
import { type AlertRule, renderedGroups } from './rules.ts';

const groups = renderedGroups();
const rules = groups.groups.flatMap((group) => group.rules);
const folder = mkdtempSync(join(tmpdir(), 'knudge-alerts-'));
const file = join(folder, 'rules.yaml');
writeFileSync(file, stringify(groups));
after(() => rmSync(folder, { recursive: true }));

/** What a tenant's Pod says in every case: it begins before all others, and grows. */
const ofTenant = forged.map((line) => {
  const [series = '', value = ''] = line.split(' ');
  const values = series.startsWith('knudge_seconds') ? `${value}x1000` : `${value}+${value}x1000`;
  return { series: of('tenant', series), values };
});

/** A series of this namespace, as Prometheus names it. */
function of(namespace: string, series: string): string {
  const [, metric = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(series) ?? [];
  return `${metric}{${[labels, `namespace="${namespace}"`].filter((text) => text !== '').join(',')}}`;
}

/** A case as `promtool test rules` takes it. */
function testOf({ series, quiet, fires = {}, alert }: AlertCase, rule: AlertRule): object {
  const at = (minute: number | string, alerts: readonly object[]) => ({
    eval_time: `${minute}m`,
    alertname: alert,
    exp_alerts: alerts,
  });
  return {
    interval: '15s',
    input_series: [
      ...Object.entries(series).map(([name, values]) => ({ series: of('knudge', name), values })),
      ...ofTenant,
    ],
    alert_rule_test: [
      ...quiet.map((minute) => at(minute, [])),
      ...Object.entries(fires).map(([minute, { summary, labels = {} }]) =>
        at(minute, [{ exp_labels: { ...rule.labels, ...labels }, exp_annotations: { ...rule.annotations, summary } }]),
      ),
    ],
  };
}

describe('the alerts', () => {
  it('are rules that Prometheus takes', () => {
    const { status, said } = runPromtool(['check', 'rules', file]);
    assert.equal(status, 0, said);
    assert.match(said, new RegExp(`SUCCESS: ${rules.length} rules found`));
  });

  for (const { alert } of rules) {
    it(`${alert} has a case in which it fires, and one in which it never does`, () => {
      const own = cases.filter((one) => one.alert === alert);
      assert.ok(own.some(({ fires }) => fires !== undefined));
      assert.ok(own.some(({ fires }) => fires === undefined));
    });
  }

  for (const [index, one] of cases.entries()) {
    it(`${one.alert} ${one.fires === undefined ? 'is quiet' : 'fires, neither too early nor for ever'}: ${one.name}`, () => {
      const rule = rules.find(({ alert }) => alert === one.alert);
      assert.ok(rule !== undefined, `there is no alert ${one.alert}`);
      const path = join(folder, `case-${index}.yaml`);
      const tests = [testOf(one, rule)];
      writeFileSync(path, stringify({ rule_files: [file], evaluation_interval: '15s', tests }));
      const { status, said } = runPromtool(['test', 'rules', path]);
      assert.equal(status, 0, said);
    });
  }
});
