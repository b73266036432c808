//go:build !linux

package main

import "os/exec"

// dieWithParent does nothing where the kernel has no such thing: kwok.pid then names the process to end.
func dieWithParent(*exec.Cmd) {}
