{{/* Values that a schema cannot judge. Each fault ends helm with a sentence that names the value and what to write in its place. */}}
{{- define "frontdesk.checks" -}}
{{- include "frontdesk.checkEnvironment" . -}}
{{- include "frontdesk.checkConfig" . -}}
{{- include "frontdesk.checkTimes" . -}}
{{- end -}}

{{/* A name that stands twice in the environment of a container is refused by some clusters, and has one of its values in others. */}}
{{- define "frontdesk.checkEnvironment" -}}
{{- range $name, $place := dict "FRONTDESK_PORT" "service.port is what clients call, and servers are at 8080" "FRONTDESK_HOST" "servers are at all addresses of their pod, with service.ipFamilies also of IPv6" "FRONTDESK_REPLICA" "it is the name of the pod" "FRONTDESK_REPLICA_HOST" "it is the address of the pod" "FRONTDESK_REPLICA_PORT" "servers take turns of each other at 8081" "FRONTDESK_DATABASE_URL" "write it to the secret of database.secret" "FRONTDESK_SEALING_KEY" "write it to the secret of sealing.secret" -}}
{{- if hasKey $.Values.environment $name -}}
{{- fail (printf "environment.%s: the chart sets it; take it out: %s." $name $place) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.database.passwordKey (hasKey .Values.environment "FRONTDESK_DATABASE_PASSWORD_FILE") -}}
{{- fail "environment.FRONTDESK_DATABASE_PASSWORD_FILE: database.passwordKey sets it; take one of them out." -}}
{{- end -}}
{{- range $name := list "FRONTDESK_CONFIG" "FRONTDESK_CONFIG_CONTENT" -}}
{{- if and $.Values.config (hasKey $.Values.environment $name) -}}
{{- fail (printf "environment.%s: the value config is the configuration of servers; take one of them out." $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "frontdesk.checkConfig" -}}
{{- range $name := list "affinity" "automountServiceAccountToken" "containers" "enableServiceLinks" "imagePullSecrets" "initContainers" "nodeSelector" "priorityClassName" "securityContext" "serviceAccountName" "terminationGracePeriodSeconds" "tolerations" "topologySpreadConstraints" "volumes" -}}
{{- if hasKey $.Values.podSpec $name -}}
{{- fail (printf "podSpec.%s: the chart sets it; take it out, and see values.yaml for its value." $name) -}}
{{- end -}}
{{- end -}}
{{- if eq (float64 .Values.service.grpcPort) (float64 .Values.service.port) -}}
{{- fail "service.grpcPort: service.port has this number; write another one." -}}
{{- end -}}
{{- range $name := list "port" "host" "data" -}}
{{- if hasKey $.Values.config $name -}}
{{- fail (printf "config.%s: the chart decides where servers are and what they write to; take it out. service.port is what clients call." $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* What is stopped too early leaves its turns without an answer. */}}
{{- define "frontdesk.checkTimes" -}}
{{- $needed := addf .Values.preStopSeconds (include "frontdesk.drainDelaySeconds" .) (include "frontdesk.drainSeconds" .) -}}
{{- if ge $needed (float64 .Values.terminationGracePeriodSeconds) -}}
{{- fail (printf "terminationGracePeriodSeconds: a server that stops may take %v s: preStopSeconds, the drain delay (FRONTDESK_DRAIN_DELAY_SECONDS or config.drainDelaySeconds) and config.drainSeconds (default 25) together; write a larger number, or make those smaller." $needed) -}}
{{- end -}}
{{- if and .Values.autoscaling.enabled (gt (float64 .Values.autoscaling.minReplicas) (float64 .Values.autoscaling.maxReplicas)) -}}
{{- fail "autoscaling.minReplicas is more than autoscaling.maxReplicas." -}}
{{- end -}}
{{- end -}}

{{- define "frontdesk.drainDelaySeconds" -}}
{{- if hasKey .Values.environment "FRONTDESK_DRAIN_DELAY_SECONDS" -}}
{{ .Values.environment.FRONTDESK_DRAIN_DELAY_SECONDS }}
{{- else -}}
{{ .Values.config.drainDelaySeconds | default 0 }}
{{- end -}}
{{- end -}}

{{- define "frontdesk.drainSeconds" -}}
{{- if hasKey .Values.config "drainSeconds" -}}
{{ .Values.config.drainSeconds }}
{{- else -}}
25
{{- end -}}
{{- end -}}
