package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	logsapi "k8s.io/component-base/logs/api/v1"
)

// runAll runs the whole control plane until SIGTERM, SIGINT or the first component that fails, and gives the exit code.
//
// It then leaves at once instead of draining: whatever the API server has confirmed is written to etcd's files
// already, and nobody is left to be served.
func runAll() int {
	s, err := parseSettings(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "kubestack:", err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, s); err != nil {
		fmt.Fprintln(os.Stderr, "kubestack:", err)
		return 1
	}
	return 0
}

func run(ctx context.Context, s settings) error {
	// Each component sets up the one logger of the process again, with the same options.
	logsapi.ReapplyHandling = logsapi.ReapplyHandlingIgnoreUnchanged

	ended := make(chan error, 5)
	start := func(name string, component func(context.Context) error) {
		go func() { ended <- fmt.Errorf("%s ended: %v", name, component(ctx)) }()
	}
	if s.exitWithParent {
		start("the process that started kubestack", untilParentIsGone(os.Getppid()))
	}

	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)))
	if err != nil {
		return err
	}
	files, err := writeFiles(s, "https://"+listener.Addr().String())
	if err != nil {
		return err
	}
	etcd, err := startEtcd(files)
	if err != nil {
		return err
	}
	start("etcd", func(context.Context) error { return <-etcd.Err() })
	start("kube-apiserver", apiServer(s, files, listener, etcd.Clients[0].Addr().String()))
	if err := waitUntilReady(ctx, files.admin, ended); err != nil {
		return err
	}
	start("kube-controller-manager", controllerManager(files))
	start("kube-scheduler", kubeScheduler(files))
	if s.kwok != "" {
		start("kwok", kwok(s, files))
	}

	select {
	case <-ctx.Done():
		return nil
	case err := <-ended:
		return err
	}
}

func untilParentIsGone(parent int) func(context.Context) error {
	return func(context.Context) error {
		for os.Getppid() == parent {
			time.Sleep(200 * time.Millisecond)
		}
		return nil
	}
}
