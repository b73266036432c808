package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Message is what this operator needs of crds/messages.yaml.
type Message struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Text string `json:"text,omitempty"`
	} `json:"spec,omitempty"`
	Status struct {
		Phase   string `json:"phase,omitempty"`
		PodName string `json:"podName,omitempty"`
	} `json:"status,omitempty"`
}

// MessageList is many of them.
type MessageList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []Message `json:"items"`
}

func (m *Message) copied() *Message {
	out := *m
	m.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

// DeepCopyObject is what generators write.
func (m *Message) DeepCopyObject() runtime.Object { return m.copied() }

// DeepCopyObject is what generators write.
func (l *MessageList) DeepCopyObject() runtime.Object {
	out := *l
	l.ListMeta.DeepCopyInto(&out.ListMeta)
	out.Items = make([]Message, len(l.Items))
	for i := range l.Items {
		out.Items[i] = *l.Items[i].copied()
	}
	return &out
}

func addMessages(scheme *runtime.Scheme) {
	version := schema.GroupVersion{Group: "myorg.dev", Version: "v1"}
	scheme.AddKnownTypes(version, &Message{}, &MessageList{})
	metav1.AddToGroupVersion(scheme, version)
}
