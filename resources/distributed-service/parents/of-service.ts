/**
 * Whether `childName` or `authorityName` may give this name. An object with any other name is neither a child of a service nor a
 * certificate authority of ours.
 */
export function mayBeOfService(name: string): boolean {
  return name.startsWith('frp-');
}
