package main

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"strconv"
)

// kwok runs the fake kubelet: it moves Pods and Nodes through the stages of its config file.
func kwok(s settings, f files) func(context.Context) error {
	return func(ctx context.Context) error {
		command := exec.CommandContext(ctx, s.kwok, "--kubeconfig="+f.kwok, "--config="+s.kwokConfig,
			"--manage-all-nodes=true", "--node-lease-duration-seconds=40")
		// The kernel ends the child with the thread that started it, so this goroutine keeps its thread.
		runtime.LockOSThread()
		command.Stdout, command.Stderr = os.Stderr, os.Stderr
		dieWithParent(command)
		if err := command.Start(); err != nil {
			return err
		}
		if err := os.WriteFile(f.kwokPid, []byte(strconv.Itoa(command.Process.Pid)), 0o600); err != nil {
			return err
		}
		return command.Wait()
	}
}
