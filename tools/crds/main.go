// Says what Knative's webhooks have against the objects on standard input: they are read strictly, get Knative's defaults
// and are validated, all by Knative's own code, as when they are created. The ConfigMaps config-features among them, of
// knative-serving and knative-eventing, are the settings of that Knative. Objects of other kinds are passed over.
// Prints a line for each object that would be refused or warned of; ends with 1 where there is one.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/yaml"
	eventingv1 "knative.dev/eventing/pkg/apis/eventing/v1"
	eventingv1alpha1 "knative.dev/eventing/pkg/apis/eventing/v1alpha1"
	"knative.dev/eventing/pkg/apis/feature"
	sourcesv1 "knative.dev/eventing/pkg/apis/sources/v1"
	"knative.dev/pkg/apis"
	serving "knative.dev/serving/pkg/apis/config"
	servingv1 "knative.dev/serving/pkg/apis/serving/v1"
	syaml "sigs.k8s.io/yaml"
)

type checked interface {
	metav1.Object
	apis.Defaultable
	apis.Validatable
}

var kinds = map[string]func() checked{
	"eventing.knative.dev/v1 Broker":            func() checked { return &eventingv1.Broker{} },
	"eventing.knative.dev/v1 Trigger":           func() checked { return &eventingv1.Trigger{} },
	"eventing.knative.dev/v1alpha1 EventPolicy": func() checked { return &eventingv1alpha1.EventPolicy{} },
	"sources.knative.dev/v1 ApiServerSource":    func() checked { return &sourcesv1.ApiServerSource{} },
	"sources.knative.dev/v1 PingSource":         func() checked { return &sourcesv1.PingSource{} },
	"serving.knative.dev/v1 Service":            func() checked { return &servingv1.Service{} },
}

func main() {
	documents, err := read(os.Stdin)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	ctx, err := settings(documents)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	code := 0
	for _, one := range documents {
		if fault := faultOf(ctx, one); fault != nil {
			fmt.Printf("%s %s: %s\n", one.Kind, one.Name, strings.ReplaceAll(fault.Error(), "\n", " "))
			code = 1
		}
	}
	os.Exit(code)
}

type document struct {
	metav1.PartialObjectMetadata
	text []byte
}

func read(from io.Reader) ([]document, error) {
	input, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	parts := yaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(input)))
	defer parts.Close()
	var all []document
	for buffer := make([]byte, len(input)+1); ; {
		n, err := parts.Read(buffer)
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		one := document{text: bytes.Clone(buffer[:n])}
		if err := syaml.Unmarshal(one.text, &one.PartialObjectMetadata); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
}

// settings gives what the webhooks know of their Knative, as they are handed it.
func settings(documents []document) (context.Context, error) {
	of := map[string]map[string]string{}
	for _, one := range documents {
		if one.Kind != "ConfigMap" || one.Name != "config-features" {
			continue
		}
		var found corev1.ConfigMap
		if err := syaml.UnmarshalStrict(one.text, &found); err != nil {
			return nil, err
		}
		of[found.Namespace] = found.Data
	}
	flags, err := feature.NewFlagsConfigFromMap(of["knative-eventing"])
	if err != nil {
		return nil, err
	}
	features, err := serving.NewFeaturesConfigFromMap(of["knative-serving"])
	if err != nil {
		return nil, err
	}
	ctx := apis.WithinCreate(feature.ToContext(context.Background(), flags))
	return serving.ToContext(ctx, serving.FromContextOrDefaults(serving.ToContext(ctx, &serving.Config{Features: features}))), nil
}

func faultOf(ctx context.Context, one document) error {
	newObject, known := kinds[one.APIVersion+" "+one.Kind]
	if !known {
		return nil
	}
	object := newObject()
	if err := syaml.UnmarshalStrict(one.text, object); err != nil {
		return err
	}
	object.SetDefaults(ctx)
	// A nil *apis.FieldError in an error would be no nil.
	if fault := object.Validate(ctx); fault != nil {
		return fault
	}
	return nil
}
