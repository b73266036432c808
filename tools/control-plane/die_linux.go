package main

import (
	"os/exec"
	"syscall"
)

// dieWithParent lets the kernel end the child with this process, however that one ends.
func dieWithParent(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
