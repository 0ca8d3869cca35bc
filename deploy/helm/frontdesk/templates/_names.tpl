{{- define "frontdesk.name" -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "frontdesk.selector" -}}
app.kubernetes.io/name: frontdesk
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "frontdesk.labels" -}}
{{ include "frontdesk.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "frontdesk.serviceAccount" -}}
{{- if .Values.serviceAccount.name -}}
{{ .Values.serviceAccount.name }}
{{- else if .Values.serviceAccount.create -}}
{{ include "frontdesk.name" . }}
{{- end -}}
{{- end -}}
