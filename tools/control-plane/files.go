package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// files are the paths of everything the components read.
type files struct {
	etcd, volumePlugins                       string
	caCert, caKey, serverCert, serverKey      string
	accountKey, auditPolicy                   string
	admin, controllerManager, scheduler, kwok string // kubeconfigs
	kwokPid                                   string
}

// A stage besides RequestReceived is logged for each call, so that a call is at least one line with its code.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{level: %s}]
`

// writeFiles makes certificates and kubeconfigs for a server at this URL. Each start has its own: nothing that an
// earlier one signed is valid any more.
func writeFiles(s settings, server string) (files, error) {
	pki := filepath.Join(s.dir, "pki")
	f := files{
		etcd: filepath.Join(s.dir, "etcd"), volumePlugins: filepath.Join(s.dir, "volume-plugins"),
		caCert: filepath.Join(pki, "ca.crt"), caKey: filepath.Join(pki, "ca.key"),
		serverCert: filepath.Join(pki, "server.crt"), serverKey: filepath.Join(pki, "server.key"),
		accountKey: filepath.Join(pki, "service-accounts.key"), auditPolicy: filepath.Join(pki, "audit-policy.yaml"),
		admin:             filepath.Join(s.dir, "kubeconfig"),
		controllerManager: filepath.Join(pki, "controller-manager.kubeconfig"),
		scheduler:         filepath.Join(pki, "scheduler.kubeconfig"),
		kwok:              filepath.Join(pki, "kwok.kubeconfig"),
		kwokPid:           filepath.Join(s.dir, "kwok.pid"),
	}
	ca, err := newAuthority()
	if err != nil {
		return f, err
	}
	serving, err := ca.server()
	if err != nil {
		return f, err
	}
	accountKey, err := newAccountKey()
	if err != nil {
		return f, err
	}
	return f, errors.Join(
		os.MkdirAll(pki, 0o700),
		os.WriteFile(f.caCert, ca.pair.cert, 0o600), os.WriteFile(f.caKey, ca.pair.key, 0o600),
		os.WriteFile(f.serverCert, serving.cert, 0o600), os.WriteFile(f.serverKey, serving.key, 0o600),
		os.WriteFile(f.accountKey, accountKey, 0o600),
		os.WriteFile(f.auditPolicy, fmt.Appendf(nil, auditPolicy, s.auditLevel), 0o600),
		writeKubeconfig(f.controllerManager, server, ca, "system:kube-controller-manager"),
		writeKubeconfig(f.scheduler, server, ca, "system:kube-scheduler"),
		// A user of its own, so that an audit log tells the fake kubelet from the tests.
		writeKubeconfig(f.kwok, server, ca, "kwok", "system:masters"),
		writeKubeconfig(f.admin, server, ca, "kubernetes-admin", "system:masters"),
	)
}

func writeKubeconfig(path, server string, ca authority, user string, groups ...string) error {
	client, err := ca.client(user, groups...)
	if err != nil {
		return err
	}
	config := api.NewConfig()
	config.Clusters["knudge-test"] = &api.Cluster{Server: server, CertificateAuthorityData: ca.pair.cert}
	config.AuthInfos[user] = &api.AuthInfo{ClientCertificateData: client.cert, ClientKeyData: client.key}
	config.Contexts["knudge-test"] = &api.Context{Cluster: "knudge-test", AuthInfo: user}
	config.CurrentContext = "knudge-test"
	// Written beside and renamed, because a program that waits for this file reads it the moment it appears.
	if err := clientcmd.WriteToFile(*config, path+".new"); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
