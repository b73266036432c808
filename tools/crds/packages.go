// Package crds holds on to the Go packages by which other projects hand out their CRDs.
package crds

import (
	_ "github.com/operator-framework/api/crds"
	_ "knative.dev/eventing/config/core/resources"
	_ "knative.dev/serving/config/core/300-resources"
)
