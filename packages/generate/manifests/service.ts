import type { Deployed } from '../../controller/functions/manifested.ts';
import type { Facts } from './facts.ts';
import { comment, indented } from './text.ts';

/** The ingress of the Broker, which is called as its namespace is. */
export function sinkIn(home: string): string {
  return `http://broker-ingress.knative-eventing.svc.cluster.local/${home}/${home}`;
}

/** A Knative Service that sleeps, with the processes of a function or of several. */
export function serviceOf({ controller, accountOf, image }: Facts, name: string): string {
  const own = controller.deployed[name] ?? {};
  return comment(own.says) + manifestOf({ home: controller.name, name, account: accountOf(name), image }, own);
}

/** A Service for one function that shares a Service by default. It differs in its name only. */
export function serviceApart({ controller, accountOf, image }: Facts, name: string): string {
  const shared = controller.serviceOf(name);
  return manifestOf(
    { home: controller.name, name, account: accountOf(shared), image },
    controller.deployed[shared] ?? {},
  );
}

interface Own {
  readonly home: string;
  readonly name: string;
  readonly account: string;
  readonly image: string;
}

function manifestOf({ home, name, account, image }: Own, { scale, sends, env = [] }: Deployed): string {
  const all = [
    { name: 'CONTROLLER_NAMESPACE', value: home },
    ...(sends === undefined ? [] : [{ says: sends, name: 'K_SINK', value: sinkIn(home) }]),
    ...env,
  ];
  const variables = all.map(
    (one) => `${comment('says' in one && one.says ? [one.says] : [])}- name: ${one.name}\n  value: ${one.value}\n`,
  );
  return `apiVersion: serving.knative.dev/v1
kind: Service
metadata:
  name: ${name}
  namespace: ${home}
  labels:
    networking.knative.dev/visibility: cluster-local
spec:
  template:
    metadata:
      annotations:
        autoscaling.knative.dev/min-scale: '0'
        autoscaling.knative.dev/max-scale: '5'
    spec:
      serviceAccountName: ${account}
${indented(comment(scale === undefined ? [] : [scale]), 6)}      containerConcurrency: 50
      # It is the grace period too, and Knative's queue-proxy drains for 30 s of it.
      timeoutSeconds: 40
      containers:
        - name: user-container
          image: ${image}
          env:
${indented(variables.join(''), 12)}          resources:
            requests:
              cpu: 50m
              memory: 96Mi
            limits:
              memory: 256Mi
          livenessProbe:
            httpGet:
              path: /health/liveness
              port: 8080
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 3
          securityContext:
            runAsNonRoot: true
            runAsUser: 65532
            readOnlyRootFilesystem: true
            allowPrivilegeEscalation: false
            capabilities:
              drop: [ALL]
            seccompProfile:
              type: RuntimeDefault
`;
}
