package main

import (
	"context"
	"errors"
	"net"
	"net/url"

	"github.com/spf13/pflag"
	"go.etcd.io/etcd/client/pkg/v3/transport"
	"go.etcd.io/etcd/server/v3/embed"
	cliflag "k8s.io/component-base/cli/flag"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	apiserveroptions "k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	controllermanageroptions "k8s.io/kubernetes/cmd/kube-controller-manager/app/options"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
	scheduleroptions "k8s.io/kubernetes/cmd/kube-scheduler/app/options"
)

// The components run from their options and Run functions, not from their cobra commands: each command sets up the
// process's signal handler, which may happen once only.

func startEtcd(f files) (*embed.Etcd, error) {
	loopback := []url.URL{{Scheme: "https", Host: "127.0.0.1:0"}}
	tls := transport.TLSInfo{CertFile: f.serverCert, KeyFile: f.serverKey, TrustedCAFile: f.caCert, ClientCertAuth: true}
	c := embed.NewConfig()
	c.Dir = f.etcd
	c.ListenClientUrls, c.AdvertiseClientUrls, c.ClientTLSInfo = loopback, loopback, tls
	c.ListenPeerUrls, c.AdvertisePeerUrls, c.PeerTLSInfo = loopback, loopback, tls
	c.InitialCluster = c.InitialClusterFromName(c.Name)
	// It would dial the advertised address, whose port is the 0 of "any free one".
	c.EnableGRPCGateway = false
	c.UnsafeNoFsync = true
	// Zero, its value unless a flag is parsed, calls each request slow.
	c.WarningUnaryRequestDuration = embed.DefaultWarningUnaryRequestDuration
	c.LogLevel = "warn"
	c.LogOutputs = []string{"stderr"}
	return embed.StartEtcd(c)
}

func apiServer(s settings, f files, listener net.Listener, etcd string) func(context.Context) error {
	return func(ctx context.Context) error {
		o := apiserveroptions.NewServerRunOptions()
		if err := parse(o.Flags(), append(apiServerArgs(s, f, etcd), s.apiserverArgs...)); err != nil {
			return err
		}
		o.SecureServing.Listener = listener
		if err := o.GenericServerRunOptions.ComponentGlobalsRegistry.Set(); err != nil {
			return err
		}
		completed, err := o.Complete(ctx)
		if err != nil {
			return err
		}
		if errs := completed.Validate(); len(errs) != 0 {
			return errors.Join(errs...)
		}
		return apiserver.Run(ctx, completed)
	}
}

func apiServerArgs(s settings, f files, etcd string) []string {
	args := []string{
		"--etcd-servers=https://" + etcd,
		"--etcd-cafile=" + f.caCert, "--etcd-certfile=" + f.serverCert, "--etcd-keyfile=" + f.serverKey,
		"--tls-cert-file=" + f.serverCert, "--tls-private-key-file=" + f.serverKey, "--client-ca-file=" + f.caCert,
		"--authorization-mode=Node,RBAC",
		"--enable-admission-plugins=NodeRestriction",
		"--allow-privileged=true",
		"--service-cluster-ip-range=10.96.0.0/16",
		"--service-account-issuer=https://kubernetes.default.svc.cluster.local",
		"--service-account-key-file=" + f.accountKey, "--service-account-signing-key-file=" + f.accountKey,
		// A loopback address is not a valid endpoint of the Service "kubernetes", so nobody may write one.
		"--advertise-address=127.0.0.1", "--endpoint-reconciler-type=none",
	}
	if s.auditLog != "" {
		// The log rotates at 100 MB unless a size is given; readers expect one file.
		args = append(args, "--audit-policy-file="+f.auditPolicy, "--audit-log-path="+s.auditLog, "--audit-log-maxsize=100000")
	}
	return args
}

func controllerManager(f files) func(context.Context) error {
	return func(ctx context.Context) error {
		o, err := controllermanageroptions.NewKubeControllerManagerOptions()
		if err != nil {
			return err
		}
		known, disabled := controllermanager.KnownControllers(), controllermanager.ControllersDisabledByDefault()
		aliases := controllermanager.ControllerAliases()
		flags := o.Flags(known, disabled, aliases)
		o.ParsedFlags = &flags
		err = parse(flags, []string{
			"--kubeconfig=" + f.controllerManager,
			"--service-account-private-key-file=" + f.accountKey, "--root-ca-file=" + f.caCert,
			"--cluster-signing-cert-file=" + f.caCert, "--cluster-signing-key-file=" + f.caKey,
			// The default is a folder under /usr that the volume controllers would create.
			"--flex-volume-plugin-dir=" + f.volumePlugins,
			"--use-service-account-credentials", "--leader-elect=false", "--secure-port=0",
			"--kube-api-qps=200", "--kube-api-burst=400",
		})
		if err != nil {
			return err
		}
		c, err := o.Config(ctx, known, disabled, aliases)
		if err != nil {
			return err
		}
		return controllermanager.Run(ctx, c.Complete())
	}
}

func kubeScheduler(f files) func(context.Context) error {
	return func(ctx context.Context) error {
		o := scheduleroptions.NewOptions()
		err := parse(*o.Flags, []string{
			"--kubeconfig=" + f.scheduler,
			"--leader-elect=false", "--secure-port=0", "--kube-api-qps=200", "--kube-api-burst=400",
		})
		if err != nil {
			return err
		}
		config, s, err := scheduler.Setup(ctx, o)
		if err != nil {
			return err
		}
		return scheduler.Run(ctx, config, s)
	}
}

func parse(named cliflag.NamedFlagSets, args []string) error {
	all := pflag.NewFlagSet("kubestack", pflag.ContinueOnError)
	for _, set := range named.FlagSets {
		all.AddFlagSet(set)
	}
	return all.Parse(args)
}
