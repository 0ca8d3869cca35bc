{{- define "frontdesk.name" -}}
{{- .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{- define "frontdesk.selector" -}}
app.kubernetes.io/name: frontdesk
app.kubernetes.io/instance: {{ .Release.Name | quote }}
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

{{- define "frontdesk.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{/* A value as text. Numbers of a values file are fractions to helm, which would write a million as 1e+06. */}}
{{- define "frontdesk.text" -}}
{{- if kindIs "string" . -}}
{{ . }}
{{- else -}}
{{ toJson . }}
{{- end -}}
{{- end -}}

{{/* Failed checks, two seconds apart, after which a start counts as failed. */}}
{{- define "frontdesk.startupChecks" -}}
{{ div (add .Values.startupSeconds 1) 2 }}
{{- end -}}

{{/* The address that key files, links and tokens name: that of the ingress with its certificate, unless the values have another. */}}
{{- define "frontdesk.origin" -}}
{{- if and .Values.ingress.enabled .Values.ingress.tlsSecret (not (hasKey .Values.environment "FRONTDESK_ORIGIN")) (not (hasKey (.Values.config.auth | default (dict)) "origin")) -}}
https://{{ .Values.ingress.host }}
{{- end -}}
{{- end -}}

{{/* Not empty where clients come by IPv6, too: the image listens at 0.0.0.0. */}}
{{- define "frontdesk.hasIpv6" -}}
{{- if or (contains "IPv6" (toJson .Values.service.ipFamilies)) (contains "DualStack" .Values.service.ipFamilyPolicy) -}}
yes
{{- end -}}
{{- end -}}
