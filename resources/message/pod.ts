/** Prints the text every ten seconds and ends at once when told to: a shell as process 1 ignores SIGTERM untrapped. */
const script = 'trap "exit 0" TERM INT; while :; do printf "%s\\n" "$MESSAGE_TEXT"; sleep 10 & wait $!; done';

/**
 * What the Pod of a Message should be. The text reaches it as an environment variable and is printed as data, never as code.
 * The kubelet expands `$(NAME)` in the value of a variable and reads `$$` as one dollar: every dollar is doubled.
 */
export function desiredPod(text: string, image: string) {
  return {
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 2,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65532,
        runAsGroup: 65532,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: 'message',
          image,
          command: ['sh', '-c', script],
          env: [{ name: 'MESSAGE_TEXT', value: text.replaceAll('$', '$$$$') }],
          resources: { requests: { cpu: '1m', memory: '8Mi' }, limits: { cpu: '50m', memory: '32Mi' } },
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
        },
      ],
    },
  };
}
