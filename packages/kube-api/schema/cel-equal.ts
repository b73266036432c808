/** CEL's equality of two values of one type: fields, entries and items one by one. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  if (one instanceof Map && other instanceof Map) {
    return one.size === other.size && [...one].every(([key, value]) => other.has(key) && isSame(value, other.get(key)));
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  }
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  return isSame(new Map(Object.entries(one)), new Map(Object.entries(other)));
}
