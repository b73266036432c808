import { type Deployed, deployed } from '../../functions/deployed.ts';
import { version } from '../../packages/controller/version.ts';
import { accountOf, together } from './facts.ts';
import { comment, indented } from './text.ts';

const broker = 'http://broker-ingress.knative-eventing.svc.cluster.local/knudge/knudge';

/** A Knative Service that sleeps, with the processes of a function or of several. */
export function serviceOf(name: string): string {
  const own = deployed[name] ?? {};
  return comment(own.says) + manifestOf(name, accountOf(name), own);
}

/** One of a function that shares a Service elsewhere: all but its name is as there. */
export function serviceApart(name: string): string {
  return manifestOf(name, accountOf(together), deployed[together] ?? {});
}

function manifestOf(name: string, account: string, { scale, sends, env = [] }: Deployed): string {
  const all = [
    { name: 'CONTROLLER_NAMESPACE', value: 'knudge' },
    ...(sends === undefined ? [] : [{ says: sends, name: 'K_SINK', value: broker }]),
    ...env,
  ];
  const variables = all.map(
    (one) => `${comment('says' in one && one.says ? [one.says] : [])}- name: ${one.name}\n  value: ${one.value}\n`,
  );
  return `apiVersion: serving.knative.dev/v1
kind: Service
metadata:
  name: ${name}
  namespace: knudge
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
          image: knudge/knudge:${version}
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
