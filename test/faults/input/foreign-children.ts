import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { type ChildRole, childName, childRoles } from '../../../resources/distributed-service/names.ts';
import { type Misuse, type Shape, shapes } from './misuse.ts';

/** Each child's name, taken before by an object of somebody else's. */
export function foreignChildren(): readonly Misuse[] {
  return (Object.keys(childRoles) as ChildRole[]).map((role) => ({
    name: `somebody's own ${childRoles[role].kind} with the name of the ${role}`,
    spec: shapes[shapeWith(role)],
    bad: (name) => ({ put: [foreign(name, role)] }),
    told: { reason: 'NameConflict', message: new RegExp(`${childRoles[role].kind} .*does not belong`) },
    shape: shapeWith(role),
    good: (name) => ({ remove: [foreign(name, role)] }),
    onlyNew: true,
  }));
}

function shapeWith(role: ChildRole): Shape {
  if (role === 'tls') return 'made certificate';
  return role === 'backends' ? 'selector' : 'plain';
}

function foreign(name: string, role: ChildRole): KubeObject {
  const labels = { app: 'theirs' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'app:1' }] } };
  const parts: Readonly<Record<string, object>> = {
    ConfigMap: { data: { mine: 'mine' } },
    Secret: { data: { mine: 'bWluZQ==' } },
    Service: { spec: { ports: [{ port: 1 }] } },
    Deployment: { spec: { replicas: 0, selector: { matchLabels: labels }, template } },
  };
  const { apiVersion, kind } = childRoles[role];
  return { apiVersion, kind, metadata: { name: childName(name, role), labels }, ...parts[kind] };
}
