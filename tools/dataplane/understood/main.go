// Command understood reads frpc configurations from stdin, one JSON string a line (the text of one frpc.json), passes
// each through frp's own loader and validation, and prints what frp understood, one JSON object a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fatedier/frp/pkg/config"
	v1 "github.com/fatedier/frp/pkg/config/v1"
	"github.com/fatedier/frp/pkg/config/v1/validation"
	"github.com/fatedier/frp/pkg/policy/security"
)

type answer struct {
	Error    string                 `json:"error,omitempty"`
	Legacy   bool                   `json:"legacy,omitempty"`
	Common   *v1.ClientCommonConfig `json:"common,omitempty"`
	Proxies  []v1.ProxyConfigurer   `json:"proxies"`
	Visitors int                    `json:"visitors"`
}

func main() {
	folder, err := os.MkdirTemp("", "understood-")
	if err != nil {
		fail(err)
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "frpc.json")

	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	decoder := json.NewDecoder(in)
	for decoder.More() {
		var text string
		if err := decoder.Decode(&text); err != nil {
			fail(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			fail(err)
		}
		if err := out.Encode(understand(file)); err != nil {
			fail(err)
		}
	}
}

func understand(file string) answer {
	common, proxies, visitors, legacy, err := config.LoadClientConfig(file, true)
	if err != nil {
		return answer{Error: err.Error(), Legacy: legacy}
	}
	if _, err := validation.ValidateAllClientConfig(common, proxies, visitors, security.NewUnsafeFeatures(nil)); err != nil {
		return answer{Error: err.Error(), Legacy: legacy}
	}
	return answer{Legacy: legacy, Common: common, Proxies: proxies, Visitors: len(visitors)}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
