// Reads dashboards strictly by Grafana's own schema, and prints what it objects to, one line each: FILE PLACE: FAULT. Arguments: files.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

func main() {
	plugins.RegisterDefaultPlugins()
	status := 0
	for _, path := range os.Args[1:] {
		for _, fault := range faultsOf(path) {
			fmt.Printf("%s %s\n", path, fault)
			status = 1
		}
	}
	os.Exit(status)
}

func faultsOf(path string) []string {
	text, err := os.ReadFile(path)
	if err != nil {
		return []string{err.Error()}
	}
	var read dashboard.Dashboard
	if faults := linesOf(read.UnmarshalJSONStrict(text)); len(faults) > 0 {
		return faults
	}
	return linesOf(read.Validate())
}

// The code of the schema returns an empty list of errors as an error without a word.
func linesOf(err error) []string {
	if err == nil || err.Error() == "" {
		return nil
	}
	return strings.Split(err.Error(), "\n")
}
