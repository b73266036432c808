// Command operator is the Message operator on controller-runtime: as it comes, or with TUNED=true.
package main

import (
	"context"
	"encoding/json"
	"os"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

const label = "bench.knudge.dev/message"

type operator struct {
	client.Client
	spec corev1.PodSpec
}

// Reconcile makes the Pod, and says once that it is ready.
func (o *operator) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var message Message
	if err := o.Get(ctx, request.NamespacedName, &message); err != nil || message.DeletionTimestamp != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	var pod corev1.Pod
	name := client.ObjectKey{Namespace: message.Namespace, Name: "msg-" + message.Name}
	err := o.Get(ctx, name, &pod)
	if apierrors.IsNotFound(err) {
		return ctrl.Result{}, o.makePod(ctx, &message, name)
	}
	if err != nil || message.Status.Phase == "Processed" || !isReady(&pod) {
		return ctrl.Result{}, err
	}
	before := message.copied()
	message.Status.Phase, message.Status.PodName = "Processed", pod.Name
	return ctrl.Result{}, client.IgnoreNotFound(o.Status().Patch(ctx, &message, client.MergeFrom(before)))
}

func (o *operator) makePod(ctx context.Context, message *Message, name client.ObjectKey) error {
	pod := corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: name.Namespace, Name: name.Name, Labels: map[string]string{label: message.Name},
		},
		Spec: *o.spec.DeepCopy(),
	}
	pod.Spec.Containers[0].Env[0].Value = message.Spec.Text
	if err := controllerutil.SetControllerReference(message, &pod, o.Scheme()); err != nil {
		return err
	}
	return client.IgnoreAlreadyExists(o.Create(ctx, &pod))
}

func isReady(pod *corev1.Pod) bool {
	for _, condition := range pod.Status.Conditions {
		if condition.Type == corev1.PodReady {
			return condition.Status == corev1.ConditionTrue
		}
	}
	return false
}

func main() {
	ctrl.SetLogger(zap.New())
	if err := run(os.Getenv("TUNED") == "true"); err != nil {
		ctrl.Log.Error(err, "cannot run")
		os.Exit(1)
	}
}

func run(tuned bool) error {
	text, err := os.ReadFile(os.Getenv("POD_SPEC"))
	if err != nil {
		return err
	}
	var spec corev1.PodSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		return err
	}
	addMessages(scheme)
	options := ctrl.Options{Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"}}
	var work controller.Options
	if tuned {
		// Ten at a time; of all Pods those that are its own, without managedFields. The client sets itself no limit as it comes.
		work.MaxConcurrentReconciles = 10
		ours, err := labels.Parse(label)
		if err != nil {
			return err
		}
		options.Cache.ByObject = map[client.Object]cache.ByObject{&corev1.Pod{}: {Label: ours}}
		options.Cache.DefaultTransform = cache.TransformStripManagedFields()
	}
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), options)
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).For(&Message{}).Owns(&corev1.Pod{}).WithOptions(work).
		Complete(&operator{Client: manager.GetClient(), spec: spec})
	if err != nil {
		return err
	}
	return manager.Start(ctrl.SetupSignalHandler())
}
