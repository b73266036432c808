// Command kubenode is what a real node needs besides a container runtime, in one program: kubelet, kube-proxy, and a
// forwarder that lets both reach an API server which listens on loopback in another network namespace.
package main

import (
	"context"
	"fmt"
	"os"

	"k8s.io/component-base/cli"
	kubeproxy "k8s.io/kubernetes/cmd/kube-proxy/app"
	kubelet "k8s.io/kubernetes/cmd/kubelet/app"
)

// A command may be created only when it runs: each one installs the process's only signal handler.
var programs = map[string]func(args) int{
	"kubelet":    func(args) int { return cli.Run(kubelet.NewKubeletCommand(context.Background())) },
	"kube-proxy": func(args) int { return cli.Run(kubeproxy.NewProxyCommand()) },
	"forward":    runForward,
}

type args []string

func main() {
	name := ""
	if len(os.Args) > 1 {
		name = os.Args[1]
		os.Args = append(os.Args[:1], os.Args[2:]...)
	}
	run, known := programs[name]
	if !known {
		fmt.Fprintln(os.Stderr, "usage: kubenode kubelet|kube-proxy|forward [flags]")
		os.Exit(2)
	}
	os.Exit(run(os.Args[1:]))
}
