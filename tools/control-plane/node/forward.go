package main

import (
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
	"k8s.io/client-go/tools/clientcmd"
)

// runForward takes the file of a network namespace, an address in it and a kubeconfig, and carries each connection to
// that address on to the API server of the kubeconfig, bytes as they are. It runs until it is killed.
func runForward(arguments args) int {
	if len(arguments) != 3 {
		fmt.Fprintln(os.Stderr, "usage: kubenode forward NETNS ADDRESS:PORT KUBECONFIG")
		return 2
	}
	err := forward(arguments[0], arguments[1], arguments[2])
	fmt.Fprintln(os.Stderr, "kubenode forward:", err)
	return 1
}

func forward(netns, address, kubeconfig string) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	server, err := url.Parse(config.Host)
	if err != nil {
		return err
	}
	listener, err := listenIn(netns, address)
	if err != nil {
		return err
	}
	for {
		client, err := listener.Accept()
		if err != nil {
			return err
		}
		go carry(client, server.Host)
	}
}

// listenIn opens a socket in another network namespace, where it stays. The thread that goes there ends with its
// goroutine, because nothing unlocks it.
func listenIn(netns, address string) (listener net.Listener, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		file, failure := os.Open(netns)
		if failure != nil {
			err = failure
			return
		}
		defer file.Close()
		if err = unix.Setns(int(file.Fd()), unix.CLONE_NEWNET); err != nil {
			return
		}
		listener, err = net.Listen("tcp4", address)
	}()
	<-done
	return listener, err
}

func carry(client net.Conn, to string) {
	defer client.Close()
	server, err := net.Dial("tcp", to)
	if err != nil {
		return
	}
	defer server.Close()
	done := make(chan struct{}, 2)
	copy := func(into, from net.Conn) {
		_, _ = io.Copy(into, from)
		done <- struct{}{}
	}
	go copy(server, client)
	go copy(client, server)
	// TLS ends in both directions at once: after one of them nothing is left to carry.
	<-done
}
