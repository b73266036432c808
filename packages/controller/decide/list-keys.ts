// Generated from the API's schemas of all children by `npm run types`; do not edit.
/** How the API server tells the items of a list apart, by the name of the list (`x-kubernetes-list-map-keys`). */
export const listMapKeys = {
  claims: ['name'],
  containers: ['name'],
  env: ['name'],
  ephemeralContainers: ['name'],
  hostAliases: ['ip'],
  imagePullSecrets: ['name'],
  initContainers: ['name'],
  ownerReferences: ['uid'],
  ports: ['containerPort', 'port', 'protocol'],
  resourceClaims: ['name'],
  schedulingGates: ['name'],
  topologySpreadConstraints: ['topologyKey', 'whenUnsatisfiable'],
  volumeDevices: ['devicePath'],
  volumeMounts: ['mountPath'],
  volumes: ['name'],
} as const;
