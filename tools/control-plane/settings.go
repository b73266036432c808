package main

import (
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
)

// settings are what `kubestack all` was asked for.
type settings struct {
	dir            string
	port           int
	auditLog       string
	auditLevel     string
	kwok           string
	kwokConfig     string
	exitWithParent bool
	apiserverArgs  repeated
}

// repeated is a flag that may be given several times.
type repeated []string

func (r *repeated) String() string { return strings.Join(*r, " ") }

func (r *repeated) Set(value string) error {
	*r = append(*r, value)
	return nil
}

func parseSettings(args []string) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("kubestack all", flag.ContinueOnError)
	flags.StringVar(&s.dir, "dir", "", "directory for data, certificates and kubeconfig (required)")
	flags.IntVar(&s.port, "port", 0, "port of the API server on 127.0.0.1; 0 takes a free one")
	flags.StringVar(&s.auditLog, "audit-log", "", "file that gets one JSON line for each API call")
	flags.StringVar(&s.auditLevel, "audit-level", "Metadata", "Metadata, Request or RequestResponse")
	flags.StringVar(&s.kwok, "kwok", "", "path of the kwok program, the fake kubelet")
	flags.StringVar(&s.kwokConfig, "kwok-config", "", "kwok's stages (required with --kwok)")
	flags.BoolVar(&s.exitWithParent, "exit-with-parent", false, "stop when the process that started this one is gone")
	flags.Var(&s.apiserverArgs, "apiserver-arg", "one more flag for kube-apiserver, such as --v=4; may be repeated")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	switch {
	case flags.NArg() > 0:
		return s, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	case s.dir == "":
		return s, errors.New("--dir is missing")
	case s.kwok != "" && s.kwokConfig == "":
		return s, errors.New("--kwok needs --kwok-config")
	case s.auditLevel != "Metadata" && s.auditLevel != "Request" && s.auditLevel != "RequestResponse":
		return s, fmt.Errorf("--audit-level %q is not one of Metadata, Request, RequestResponse", s.auditLevel)
	}
	absolute, err := filepath.Abs(s.dir)
	s.dir = absolute
	return s, err
}
