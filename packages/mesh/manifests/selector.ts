import { isLabelKey, isLabelValue } from '../../controller/domain/labels.ts';
import type { Field } from './field.ts';

/** A `metav1.LabelSelector` as a query parameter; empty: everything. */
export function readSelector(field: Field): string {
  field.allow(['matchLabels', 'matchExpressions']);
  const labels = field.at('matchLabels');
  const equal = Object.entries(labels.texts()).map(([key, value]) => {
    checkKey(labels.at(key), key);
    checkValue(labels.at(key), value);
    return `${key}=${value}`;
  });
  return [...equal, ...field.at('matchExpressions').items().map(readExpression)].join(',');
}

function readExpression(field: Field): string {
  field.allow(['key', 'operator', 'values']);
  const [key, operator, values] = [field.at('key'), field.at('operator').text(), field.at('values')];
  checkKey(key, key.text());
  const listed = values.items().map((item) => {
    checkValue(item, item.text());
    return item.text();
  });
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (listed.length === 0) values.refuse(`must be specified when operator is 'In' or 'NotIn'`);
      return `${key.text()} ${operator.toLowerCase()} (${listed.join(',')})`;
    case 'Exists':
    case 'DoesNotExist':
      if (listed.length > 0) values.refuse(`may not be specified when operator is 'Exists' or 'DoesNotExist'`);
      return operator === 'Exists' ? key.text() : `!${key.text()}`;
    default:
      field
        .at('operator')
        .refuse(`invalid value: ${JSON.stringify(operator)}, must be In, NotIn, Exists or DoesNotExist`);
      return '';
  }
}

function checkKey(field: Field, key: string): void {
  if (!isLabelKey(key)) field.refuse(`invalid value: ${JSON.stringify(key)} is not the key of a label`);
}

function checkValue(field: Field, value: string): void {
  if (!isLabelValue(value)) field.refuse(`invalid value: ${JSON.stringify(value)} is not the value of a label`);
}
