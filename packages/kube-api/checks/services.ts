import { isIP } from 'node:net';
import type { Cause } from '../http/problem.ts';
import type { Json, JsonObject } from '../json.ts';
import { isArray, isEqual, objectAt } from '../json.ts';
import { duplicate, forbiddenField, invalidValue } from '../schema/texts.ts';
import { dnsSubdomain, labelKey } from './names.ts';

export const addressWords = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

const mostSeconds = 86_400;

/** The faults of a Service as a whole, after the rules of its fields (kube-apiserver 1.35). */
export function serviceCauses(next: JsonObject, current: JsonObject | undefined): readonly Cause[] {
  const spec = objectAt(next, 'spec');
  const ports = (isArray(spec['ports']) ? spec['ports'] : []).map((port) => objectAt(port));
  return [
    ...typeCauses(spec, ports),
    ...portCauses(ports),
    ...sessionCauses(spec),
    ...outsideCauses(spec),
    ...addressChanges(spec, objectAt(current, 'spec')),
  ];
}

function typeCauses(spec: JsonObject, ports: readonly JsonObject[]): readonly Cause[] {
  const { type, clusterIP, clusterIPs, externalName } = spec;
  switch (type) {
    case 'ExternalName': {
      const isGiven = clusterIP !== undefined || clusterIPs !== undefined;
      return [
        ...(isGiven ? [forbiddenField('spec.clusterIPs', 'may not be set for ExternalName services')] : []),
        ...(externalName
          ? dnsSubdomain(String(externalName).replace(/\.$/, '')).map((why) =>
              invalidValue('spec.externalName', externalName, why),
            )
          : []),
      ];
    }
    case 'NodePort':
    case 'LoadBalancer': {
      const why = `may not be set to 'None' for ${type} services`;
      return clusterIP === 'None' ? [invalidValue('spec.clusterIPs[0]', clusterIP, why)] : [];
    }
    default:
      return ports.flatMap(({ nodePort }, index) =>
        nodePort === undefined
          ? []
          : [forbiddenField(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")],
      );
  }
}

function portCauses(ports: readonly JsonObject[]): readonly Cause[] {
  const isSecond = (index: number, isSame: (port: JsonObject) => boolean): boolean => ports.findIndex(isSame) < index;
  return [
    ...ports.flatMap(({ name, appProtocol }, index) => [
      ...(name && isSecond(index, (other) => other['name'] === name)
        ? [duplicate(`spec.ports[${index}].name`, name)]
        : []),
      ...(appProtocol === undefined
        ? []
        : labelKey(String(appProtocol)).map((why) =>
            invalidValue(`spec.ports[${index}].appProtocol`, appProtocol, why),
          )),
    ]),
    ...ports.flatMap(({ port = 0, protocol = '' }, index) => {
      // The server names the port by a struct of its own in which only these two are set.
      const key = { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
      const isTwice = isSecond(index, (other) => other['port'] === port && other['protocol'] === protocol);
      return isTwice ? [duplicate(`spec.ports[${index}]`, key)] : [];
    }),
  ];
}

function sessionCauses({ sessionAffinity, sessionAffinityConfig }: JsonObject): readonly Cause[] {
  const { timeoutSeconds } = objectAt(sessionAffinityConfig, 'clientIP');
  if (sessionAffinity !== 'ClientIP' || typeof timeoutSeconds !== 'number') return [];
  if (timeoutSeconds > 0 && timeoutSeconds <= mostSeconds) return [];
  const why = `must be greater than 0 and less than ${mostSeconds}`;
  return [invalidValue('spec.sessionAffinityConfig.clientIP.timeoutSeconds', timeoutSeconds, why)];
}

function outsideCauses({ type, externalIPs, externalTrafficPolicy }: JsonObject): readonly Cause[] {
  const isOutside = type === 'NodePort' || type === 'LoadBalancer' || isArray(externalIPs);
  const why = 'may only be set for externally-accessible services';
  return [
    ...(isArray(externalIPs) ? externalIPs : []).flatMap((address, index) =>
      externalCauses(address, `spec.externalIPs[${index}]`),
    ),
    ...(isOutside || externalTrafficPolicy === undefined
      ? []
      : [invalidValue('spec.externalTrafficPolicy', externalTrafficPolicy, why)]),
  ];
}

function externalCauses(address: Json, field: string): readonly Cause[] {
  const text = String(address);
  if (isIP(text) === 0) return [invalidValue(field, address, addressWords)];
  const isLoopback = text.startsWith('127.') || text === '::1';
  return isLoopback ? [invalidValue(field, address, 'may not be in the loopback range (127.0.0.0/8, ::1/128)')] : [];
}

function addressChanges({ type, clusterIPs = [] }: JsonObject, { clusterIPs: before }: JsonObject): readonly Cause[] {
  const moved = before !== undefined && type !== 'ExternalName' && !isEqual(clusterIPs, before);
  return moved ? [invalidValue('spec.clusterIPs[0]', clusterIPs, 'may not change once set')] : [];
}
