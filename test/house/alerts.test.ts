import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { ownSelectors } from '../prometheus/selectors.ts';
import { textOf } from './files.ts';
import { metrics } from './metrics.ts';

interface Rules {
  readonly spec: {
    readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
  };
}

const rules = (parse(textOf('deploy/components/prometheus/rules.yaml')) as Rules).spec.groups.flatMap(
  (group) => group.rules,
);

describe('each alert', () => {
  it('has its heading in docs/operations.md, and none has that is no alert', () => {
    const text = textOf('docs/operations.md');
    const alerts = text.slice(text.indexOf('\n## Alerts\n'), text.indexOf('\n## Upgrade\n'));
    const sections = alerts
      .split('\n### ')
      .slice(1)
      .map((section) => section.split('\n\n'));
    assert.deepEqual(
      sections.map(([heading]) => heading),
      rules.map(({ alert }) => alert),
    );
    for (const [heading, ...said] of sections)
      assert.match(said.join(), /`(npx knudge|kubectl) |\]\(/, `${heading}: what to do?`);
  });

  it('asks for metrics that there are, by their labels', () => {
    for (const { alert, expr } of rules) {
      for (const { metric: name, matchers } of ownSelectors(expr)) {
        const metric = metrics.find((one) => one.name === name);
        assert.ok(metric !== undefined, `${alert}: there is no metric ${name}`);
        // Prometheus gives it to what it scrapes, so that no Pod of another namespace has a say.
        assert.ok(matchers.includes('namespace="knudge"'), `${alert}: ${name} may be of any namespace`);
        const labels = matchers.map((text) => text.replace(/\W.*/, '')).filter((label) => label !== 'namespace');
        const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));
        for (const label of [...labels, ...grouped])
          assert.ok(metric.labels.includes(label), `${alert}: ${name} has no label ${label}`);
      }
    }
  });
});
