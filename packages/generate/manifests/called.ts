/** Manifests of a new project that people may change, and that name the controller all the same. */
export const byHandAndNamed: readonly string[] = [
  'deploy/base/event-log-reader.yaml',
  'deploy/base/namespace.yaml',
  'deploy/functions/event-log.yaml',
  'eventing/broker.yaml',
  'eventing/event-log.yaml',
  'eventing/sources/resync-due.yaml',
  'eventing/sources/source-adapters.yaml',
  'eventing/triggers/event-recorded.yaml',
];

/** Such a manifest for a controller of this name, whatever it was called before: namespace, Broker, its ingress, and cluster-wide roles. */
export function calledAs(name: string, text: string): string {
  const before =
    /^kind: Namespace\nmetadata:\n {2}name: ([a-z0-9-]+)$/m.exec(text) ?? /^ {2}namespace: ([a-z0-9-]+)$/m.exec(text);
  const old = before?.[1];
  if (old === undefined || old === name) return text;
  return text
    .replaceAll(new RegExp(`^(\\s*(?:- )?(?:namespace|broker|name): )${old}(?=$|-)`, 'gm'), `$1${name}`)
    .replaceAll(new RegExp(`(?<=/)${old}/${old}$`, 'gm'), `${name}/${name}`);
}
