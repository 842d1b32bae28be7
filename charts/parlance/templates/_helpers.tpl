{{/* The name of everything: the release's, with the chart's unless it has that already. */}}
{{- define "parlance.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 45 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 45 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "parlance.selectorLabels" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "parlance.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "parlance.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "parlance.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "parlance.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}

{{- define "parlance.secretName" -}}
{{- default (include "parlance.fullname" .) .Values.secrets.existingSecret -}}
{{- end -}}

{{/* The address of a service's database: its own, or its database on the common server. Arguments: root, name, service. */}}
{{- define "parlance.mongodbUri" -}}
{{- if .service.mongodbUri -}}
{{- .service.mongodbUri -}}
{{- else -}}
{{- $uri := required "mongodb.uri must be set (or secrets.existingSecret)" .root.Values.mongodb.uri -}}
{{- $server := regexFind "^mongodb(\\+srv)?://[^/?]*" $uri -}}
{{- $query := regexFind "\\?.*$" $uri -}}
{{- printf "%s/parlance_%s%s" $server (.name | replace "-" "_") $query -}}
{{- end -}}
{{- end -}}

{{/* Hosts that requests may name: those of the values, of the ingress, and the gateway's names in the cluster. */}}
{{- define "parlance.allowedHosts" -}}
{{- $service := printf "%s-gateway" (include "parlance.fullname" .) -}}
{{- $inCluster := list $service (printf "%s.%s" $service .Release.Namespace) (printf "%s.%s.svc" $service .Release.Namespace) (printf "%s.%s.svc.cluster.local" $service .Release.Namespace) -}}
{{- $ingress := ternary (list .Values.ingress.host) (list) .Values.ingress.enabled -}}
{{- concat .Values.allowedHosts $ingress $inCluster | join "," -}}
{{- end -}}
