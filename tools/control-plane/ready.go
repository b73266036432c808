package main

import (
	"context"
	"fmt"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

const readyTimeout = 2 * time.Minute

// waitUntilReady returns when the API server answers /readyz with 200, or with the reason why it never will.
func waitUntilReady(ctx context.Context, kubeconfig string, ended <-chan error) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	for deadline := time.Now().Add(readyTimeout); time.Now().Before(deadline); {
		attempt, cancel := context.WithTimeout(ctx, 5*time.Second)
		err = client.RESTClient().Get().AbsPath("/readyz").Do(attempt).Error()
		cancel()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case failure := <-ended:
			return failure
		case <-time.After(50 * time.Millisecond):
		}
	}
	return fmt.Errorf("kube-apiserver is not ready after %s: %w", readyTimeout, err)
}
