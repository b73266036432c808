{{/* The labels that Helm's tools look for. */}}
{{- define "knudge.labels" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{/* The image of a function, by digest where there is one. */}}
{{- define "knudge.image" -}}
{{- $image := .root.Values.image -}}
{{- with index $image.digests .name -}}
{{ printf "%s/%s@%s" $image.repository $.name . }}
{{- else -}}
{{ printf "%s/%s:%s" $image.repository .name ($image.tag | default .root.Chart.AppVersion) }}
{{- end }}
{{- end }}
