import type { Mutant } from '../mutant.ts';

const certificates = 'resources/distributed-service/certificates/certificates.ts';
const certify = 'resources/distributed-service/certificates/certify.ts';
const authority = 'resources/distributed-service/certificates/ca-secret.ts';
const renewal = 'resources/distributed-service/certificates/renewal.ts';

/** Two instances and one certificate authority; keys and certificates that must fit; when a leaf is due. */
export const certificateMutants: readonly Mutant[] = [
  {
    id: 'authority-goes-with-its-profile',
    says: 'The authority belongs to the ConfigMap of its profile: whoever replaces that gets another one at once, which no server trusts',
    after: 'M1 of the findings',
    edits: [
      {
        file: 'resources/distributed-service/certificates/certificate-finding.ts',
        from: '      : { ...finding, newAuthority: authoritySecret(namespace, name, authority) };',
        to: `      : { ...finding, newAuthority: ownedBy(profile.configMap, authoritySecret(namespace, name, authority)) };`,
      },
      {
        file: 'resources/distributed-service/certificates/certificate-finding.ts',
        from: 'const issuing = waiting(',
        to: `function ownedBy({ metadata }: KubeObject, secret: KubeObject): KubeObject {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: metadata.name, uid: metadata.uid ?? '' };
  return { ...secret, metadata: { ...secret.metadata, ownerReferences: [owner] } };
}

const issuing = waiting(`,
      },
      {
        file: authority,
        from: '  return strays.length === 0 ? [] : ',
        to: '  return strays.length >= 0 ? [] : ',
      },
    ],
    near: ['profile-replaced', 'profile-renamed'],
  },
  {
    id: 'authority-signs-before-stored',
    says: 'An authority signs the leaf in the run that made it: another instance may store its own first',
    after: 'the shortcut that a search of all interleavings refutes; cert-manager 8514',
    edits: [
      {
        file: certify,
        from: '  if (authority === undefined) return { authority: await issuer.authority(authorityRequest(profile, at)) };\n',
        to: `  if (authority === undefined) {
    const request = authorityRequest(profile, at);
    const made = await issuer.authority(request);
    const first = await issuer.leaf(leafRequest(names, { authority: made, until: request.notAfter }, at));
    return { authority: made, leaf: first, ...given('leafFacts', await issuer.inspect(first, made.certificate)) };
  }
`,
      },
      {
        file: 'resources/distributed-service/certificates/certificate-finding.ts',
        from: '      : { ...finding, newAuthority: authoritySecret(namespace, name, authority) };',
        to: "      : { ...good('CertificatesProvisioned', 'The certificate is made'), ...(given.certificates.leaf && { leaf: given.certificates.leaf }), newAuthority: authoritySecret(namespace, name, authority) };",
      },
      {
        file: 'packages/controller/reconcile/carry-out.ts',
        from: "      if (!(error instanceof KnudgeError) || error.retry !== 'refused'",
        to: "      if (error instanceof KnudgeError && error.code === 'already-exists' && write.do === 'create' && write.object.metadata.name.endsWith('-ca')) continue;\n      if (!(error instanceof KnudgeError) || error.retry !== 'refused'",
      },
      {
        file: certify,
        from: 'await issuer.inspect(question.leaf, signer.authority.certificate))',
        to: 'await issuer.inspect(question.leaf))',
      },
    ],
    near: ['authority-of-two-deleted', 'create-generated-mtls'],
  },
  {
    id: 'authority-by-force',
    says: 'The first authority is written by forced apply, so the second instance replaces what the first has signed with',
    after: 'finding 9: a CA by SSA-force; cert-manager 9097: a stale read',
    edits: [
      {
        file: 'packages/controller/cluster/create.ts',
        from: "return writeObject(transport, { ref, verb: 'create', method: 'POST', path: collectionPath(ref), body: object });",
        to: `if (ref.name.endsWith('-ca')) {
    return writeObject(transport, { ref, verb: 'create', contentType: 'application/apply-patch+yaml', force: true, body: object });
  }
  return writeObject(transport, { ref, verb: 'create', method: 'POST', path: collectionPath(ref), body: object });`,
      },
    ],
    near: ['authority-of-two-deleted', 'create-generated-mtls'],
  },
  {
    id: 'authority-with-a-random-name',
    says: 'The Secret of the authority has a name of its own at every try, and is looked for under another',
    after: 'cert-manager 8514: random names make two keys; Crossplane: a name lost in a crash',
    edits: [
      {
        file: authority,
        from: '    metadata: { name, namespace, labels: {',
        to: "    metadata: { name: name + '-' + String(Math.random()).slice(2, 8), namespace, labels: {",
      },
    ],
    near: ['create-generated-mtls'],
  },
  {
    id: 'authority-known-by-name',
    says: 'Whatever Secret has the name of the authority signs certificates',
    after: 'adopt a foreign child',
    edits: [
      {
        file: certificates,
        from: 'return metadata.labels?.[labels.authority] !== undefined && metadata.labels[labels.managedBy] === manager;',
        to: "return metadata.name.endsWith('-ca');",
      },
    ],
    near: ['authority-foreign'],
  },
  {
    id: 'leaf-not-held-against-authority',
    says: 'Nobody asks who signed a leaf: one of an authority that is gone stays',
    after: 'finding 9: a leaf that the stored CA did not sign',
    edits: [
      {
        file: certify,
        from: 'await issuer.inspect(question.leaf, signer.authority.certificate))',
        to: 'await issuer.inspect(question.leaf))',
      },
    ],
    near: ['authority-deleted'],
  },
  {
    id: 'leaf-renewed-too-late',
    says: 'A leaf is renewed when it has ended, not before',
    after: 'cert-manager: a renewal that comes too late',
    edits: [{ file: renewal, from: 'renewAfter = 2 / 3', to: 'renewAfter = 1' }],
    near: ['leaf-due', 'leaf-expired'],
  },
  {
    id: 'leaf-never-renewed',
    says: 'A leaf is made once and never again',
    after: 'cert-manager: a renewal that is never due',
    edits: [
      {
        file: certificates,
        from: '  return facts.notAfter < until && now >= renewalOf(facts);',
        to: '  return false;',
      },
    ],
    near: ['leaf-due', 'leaf-expired'],
  },
  {
    id: 'leaf-always-renewed',
    says: 'A leaf is made anew at every event',
    after: 'X11, cert-manager: a re-issue loop',
    edits: [
      { file: certificates, from: 'until && now >= renewalOf(facts);', to: 'until && renewalOf(facts) !== now;' },
    ],
    near: ['leaf-not-due', 'create-generated-mtls'],
  },
  {
    id: 'certificate-before-its-key',
    says: 'A renewed certificate and its key reach the Secret in two writes',
    after: 'finding 9: two writes for key and certificate',
    edits: [
      {
        file: 'packages/controller/reconcile/carry-out.ts',
        from: '      await writer.apply(write.object, write.live, write.strays);\n',
        to: `      {
        const { data = {} } = write.live as { data?: Record<string, string> };
        const half = { ...write.object, data: { ...(write.object as { data?: object }).data, 'tls.key': data['tls.key'] } } as KubeObject;
        const live = data['tls.key'] === undefined ? write.live : await writer.apply(half, write.live);
        await writer.apply(write.object, live);
      }\n`,
      },
    ],
    near: ['leaf-due'],
  },
];
