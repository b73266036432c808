{{/* The labels that Helm's tools look for. */}}
{{- define "knudge.labels" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{/* The image of all functions, by digest where there is one. */}}
{{- define "knudge.image" -}}
{{- with .Values.image.digest -}}
{{ printf "%s@%s" $.Values.image.repository . }}
{{- else -}}
{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) }}
{{- end }}
{{- end }}
