package main

// By these packages other projects hand out their CRDs: pinned-crds.ts reads them.
import (
	_ "github.com/operator-framework/api/crds"
	_ "knative.dev/eventing/config/core/resources"
	_ "knative.dev/serving/config/core/300-resources"
)
