export type Access = {
  /** The URL of the API server. */
  server: string;
  /** The authority of its certificate, as PEM. */
  ca: Buffer;
  user: string;
  token: string;
};

/** A kubeconfig with one user, who has a token; it is JSON, which is YAML too. */
export function kubeconfigFor({ server, ca, user, token }: Access): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'knudge-test', cluster: { server, 'certificate-authority-data': ca.toString('base64') } }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: 'knudge-test', context: { cluster: 'knudge-test', user } }],
    'current-context': 'knudge-test',
  });
}
