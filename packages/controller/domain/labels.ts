const part = '[a-z0-9](?:[-a-z0-9]*[a-z0-9])?';
const prefix = `(?=[^/]{1,253}/)${part}(?:\\.${part})*/`;
const key = new RegExp(`^(?:${prefix})?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$`);
const value = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** Whether a text can be the key of a label (apimachinery `validation.IsQualifiedName`): only then a query may ask for it. */
export function isLabelKey(text: string): boolean {
  return key.test(text);
}

/** Whether a text can be the value of a label (apimachinery `validation.IsValidLabelValue`). */
export function isLabelValue(text: string): boolean {
  return value.test(text);
}
