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
app.kubernetes.io/instance: {{ .Release.Name | quote }}
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

{{/* The image of a process. Arguments: root, name. */}}
{{- define "parlance.image" -}}
{{- printf "%s/%s:%s" .root.Values.image.repository .name (default .root.Chart.AppVersion .root.Values.image.tag) -}}
{{- end -}}

{{/* Security context of every pod. Argument: the user's number. */}}
{{- define "parlance.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
runAsGroup: {{ . }}
fsGroup: {{ . }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "parlance.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{/* Who calls whom, who uses which engine, and who reaches addresses outside the cluster: the arrows of docs/architecture/overview.md.
     identity runs the operator's command, which asks every service. */}}
{{- define "parlance.arrows" -}}
calls:
  gateway: [identity, catalog, translation, vcs-worker, media, statistics, hooks]
  identity: [identity, catalog, translation, vcs-worker, media, statistics, hooks]
  catalog: [identity, vcs-worker, hooks]
  translation: [identity, catalog, vcs-worker, media]
  vcs-worker: [catalog, translation, media]
  media: [catalog, translation]
  statistics: []
  hooks: [catalog, translation]
engines:
  mongodb: [identity, catalog, translation, vcs-worker, media, statistics, hooks]
  nats: [identity, catalog, translation, vcs-worker, media, statistics, hooks]
  redis: [gateway, identity, catalog, translation, vcs-worker, media]
  s3: [media]
outside:
  vcs-worker: remotePorts
  translation: webPorts
  hooks: webPorts
  identity: mailPorts
{{- end -}}

{{/* The chart's own engines: those that have no address, in the mode `evaluation`. Keys are the names of their pods. */}}
{{- define "parlance.engines" -}}
{{- $own := dict -}}
{{- if eq .Values.mode "evaluation" -}}
{{- $given := dict "mongo" (or .Values.mongodb.uri (include "parlance.allHaveUris" .)) "nats" .Values.nats.url "redis" .Values.redis.url "minio" .Values.s3.endpoint -}}
{{- $kinds := dict "mongo" "mongodb" "nats" "nats" "redis" "redis" "minio" "s3" -}}
{{- $ports := dict "mongo" 27017 "nats" 4222 "redis" 6379 "minio" 9000 -}}
{{- range $name, $address := $given -}}
{{- if not (or $address $.Values.secrets.existingSecret) -}}
{{- $_ := set $own $name (dict "kind" (get $kinds $name) "port" (get $ports $name)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $own -}}
{{- end -}}

{{/* Part of the names of event streams. Servers of one's own may be shared by installations, the chart's is not. */}}
{{- define "parlance.natsNamespace" -}}
{{- if ne .Values.nats.namespace "auto" -}}
{{- .Values.nats.namespace -}}
{{- else if not (hasKey (include "parlance.engines" . | fromYaml) "nats") -}}
{{- printf "%s-%s" .Release.Namespace (include "parlance.fullname" .) -}}
{{- end -}}
{{- end -}}

{{/* Fails where a value is missing that the mode `production`, or an engine of one's own, needs. */}}
{{- define "parlance.requireValues" -}}
{{- if eq .Values.mode "production" -}}
{{- if not .Values.secrets.existingSecret -}}
{{- $needed := dict "mongodb.uri" .Values.mongodb.uri "nats.url" .Values.nats.url "redis.url" .Values.redis.url "s3.accessKey" .Values.s3.accessKey "s3.secretKey" .Values.s3.secretKey "secrets.serviceSecret" .Values.secrets.serviceSecret "secrets.encryptionKey" .Values.secrets.encryptionKey -}}
{{- $missing := list -}}
{{- range $name, $value := $needed -}}
{{- if not (or $value (and (eq $name "mongodb.uri") (include "parlance.allHaveUris" $))) -}}{{- $missing = append $missing $name -}}{{- end -}}
{{- end -}}
{{- if $missing -}}
{{- fail (printf "mode \"production\" installs no engines and generates no secrets: set %s, or secrets.existingSecret." (join ", " $missing)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if not (or .Values.s3.endpoint (hasKey (include "parlance.engines" . | fromYaml) "minio")) -}}
{{- fail "s3.endpoint must be set to the address of an S3 store, such as https://s3.example.org." -}}
{{- end -}}
{{- if and .Values.s3.endpoint (not .Values.secrets.existingSecret) (not (and .Values.s3.accessKey .Values.s3.secretKey)) -}}
{{- fail "s3.endpoint needs s3.accessKey and s3.secretKey, or secrets.existingSecret." -}}
{{- end -}}
{{- if and .Values.caBundle.configMap .Values.caBundle.secret -}}
{{- fail "Set caBundle.configMap or caBundle.secret, not both." -}}
{{- end -}}
{{- range list (list "smtp.secret" .Values.smtp.secret "PARLANCE_SMTP_URL" "identity") (list "git.sshSecret" .Values.git.sshSecret "PARLANCE_SSH_KEY_FILE" "vcs-worker") -}}
{{- $variable := index . 2 -}}
{{- if and (index . 1) (or (hasKey $.Values.config $variable) (hasKey (dig (last .) "env" dict $.Values.services) $variable)) -}}
{{- fail (printf "%s sets %s: remove it from config and services.%s.env." (first .) $variable (last .)) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.gatewayApi.enabled (not .Values.gatewayApi.parentRefs) -}}
{{- fail "gatewayApi.enabled needs gatewayApi.parentRefs: the Gateway that the route belongs to." -}}
{{- end -}}
{{- if and .Values.ingress.enabled (eq .Values.ingress.host "parlance.example.org") -}}
{{- fail "ingress.enabled needs ingress.host: parlance.example.org is only an example." -}}
{{- end -}}
{{- if and .Values.gatewayApi.enabled (has "parlance.example.org" .Values.gatewayApi.hostnames) -}}
{{- fail "gatewayApi.enabled needs hosts of your own in gatewayApi.hostnames: parlance.example.org is only an example." -}}
{{- end -}}
{{- range $name, $service := .Values.services -}}
{{- $least := include "parlance.leastReplicas" $service | int -}}
{{- $most := include "parlance.mostReplicas" $service | int -}}
{{- if gt $least $most -}}
{{- fail (printf "services.%s.autoscaling: the fewest pods (minReplicas, or replicas where it is not set), %d, must not exceed maxReplicas, %d." $name $least $most) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Fails where a secret or an address has the wrong form. The schema leaves them out: its messages show a pattern and the value. */}}
{{- define "parlance.requireForms" -}}
{{- $uri := "^mongodb(\\+srv)?://" -}}
{{- $startsWithMongodb := "must start with mongodb:// or mongodb+srv://" -}}
{{- $forms := list
  (list "secrets.serviceSecret" .Values.secrets.serviceSecret "^[^,]{32,}(,[^,]{32,})*$" "must have at least 32 characters; separate several secrets with commas")
  (list "secrets.encryptionKey" .Values.secrets.encryptionKey "^[A-Za-z0-9+/]{43}=(,[A-Za-z0-9+/]{43}=)*$" "must be 32 bytes in Base64, as `openssl rand -base64 32` prints; separate several keys with commas")
  (list "mongodb.uri" .Values.mongodb.uri $uri $startsWithMongodb)
  (list "nats.url" .Values.nats.url "^(nats|tls)://" "must start with nats:// or tls://")
  (list "redis.url" .Values.redis.url "^rediss?://" "must start with redis:// or rediss://")
  (list "s3.endpoint" .Values.s3.endpoint "^https?://" "must start with https:// or http://")
  (list "keda.prometheusAddress" .Values.keda.prometheusAddress "^https?://" "must start with https:// or http://")
-}}
{{- range $name, $service := .Values.services -}}
{{- $forms = append $forms (list (printf "services.%s.mongodbUri" $name) (default "" $service.mongodbUri) $uri $startsWithMongodb) -}}
{{- end -}}
{{- range $forms -}}
{{- if and (index . 1) (not (regexMatch (index . 2) (index . 1))) -}}
{{- fail (printf "%s %s." (first .) (last .)) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The egress rule for DNS. */}}
{{- define "parlance.dnsEgress" -}}
{{- with .Values.networkPolicy.dns -}}
- ports:
    {{- range .ports }}
    - { port: {{ . }}, protocol: UDP }
    - { port: {{ . }}, protocol: TCP }
    {{- end }}
  {{- with .to }}
  to: {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
{{- end -}}

{{/* "true" if every service has an address of its own database. */}}
{{- define "parlance.allHaveUris" -}}
{{- $all := true -}}
{{- range $name, $service := .Values.services -}}
{{- if and (ne $name "gateway") (not $service.mongodbUri) -}}{{- $all = false -}}{{- end -}}
{{- end -}}
{{- ternary "true" "" $all -}}
{{- end -}}

{{/* Generated credentials as YAML. Those of an earlier installation are kept; within one rendering they are generated once. */}}
{{- define "parlance.credentials" -}}
{{- if not (hasKey .Values "generatedCredentials") -}}
{{- $full := include "parlance.fullname" . -}}
{{- $old := default dict (lookup "v1" "Secret" .Release.Namespace (printf "%s-engines" $full)).data -}}
{{- $oldSecrets := default dict (lookup "v1" "Secret" .Release.Namespace $full).data -}}
{{- $credentials := dict -}}
{{- range $key := list "mongo" "nats" "redis" "minio" -}}
{{- $known := get $old (printf "%s-password" $key) -}}
{{- $_ := set $credentials $key (ternary ($known | b64dec) (randAlphaNum 48) (ne $known "")) -}}
{{- end -}}
{{- $service := get $oldSecrets "service-secret" -}}
{{- $_ := set $credentials "service" (default (ternary ($service | b64dec) (randAlphaNum 48) (ne $service "")) .Values.secrets.serviceSecret) -}}
{{- $encryption := get $oldSecrets "encryption-key" -}}
{{- $_ := set $credentials "encryption" (default (ternary ($encryption | b64dec) (randBytes 32) (ne $encryption "")) .Values.secrets.encryptionKey) -}}
{{- $_ := set .Values "generatedCredentials" $credentials -}}
{{- end -}}
{{- toYaml .Values.generatedCredentials -}}
{{- end -}}

{{/* The address of a service's database: its own, its database on the common server, or on the chart's engine. Arguments: root, name, service. */}}
{{- define "parlance.mongodbUri" -}}
{{- $database := printf "parlance_%s" (.name | replace "-" "_") -}}
{{- if .service.mongodbUri -}}
{{- .service.mongodbUri -}}
{{- else if .root.Values.mongodb.uri -}}
{{- $uri := .root.Values.mongodb.uri -}}
{{- printf "%s/%s%s" (regexFind "^mongodb(\\+srv)?://[^/?]*" $uri) $database (regexFind "\\?.*$" $uri) -}}
{{- else -}}
{{- $credentials := include "parlance.credentials" .root | fromYaml -}}
{{- printf "mongodb://parlance:%s@%s-mongo:27017/%s?journal=true&authSource=admin" $credentials.mongo (include "parlance.fullname" .root) $database -}}
{{- end -}}
{{- end -}}

{{/* Hosts that requests may name: those of the values, of the ingress and the route, and the gateway's names in the cluster. */}}
{{- define "parlance.allowedHosts" -}}
{{- $service := printf "%s-gateway" (include "parlance.fullname" .) -}}
{{- $inCluster := list $service (printf "%s.%s" $service .Release.Namespace) (printf "%s.%s.svc" $service .Release.Namespace) (printf "%s.%s.svc.cluster.local" $service .Release.Namespace) -}}
{{- $ingress := ternary (list .Values.ingress.host) (list) .Values.ingress.enabled -}}
{{- $route := ternary .Values.gatewayApi.hostnames (list) .Values.gatewayApi.enabled -}}
{{- concat .Values.allowedHosts $ingress $route $inCluster | uniq | join "," | replace "*." "." -}}
{{- end -}}

{{/* The least number of pods of a process. Argument: its values. */}}
{{- define "parlance.leastReplicas" -}}
{{- if dig "autoscaling" "enabled" false . -}}
{{- dig "autoscaling" "minReplicas" .replicas . -}}
{{- else -}}
{{- .replicas -}}
{{- end -}}
{{- end -}}

{{/* The largest number of pods of a process. Argument: its values. */}}
{{- define "parlance.mostReplicas" -}}
{{- if dig "autoscaling" "enabled" false . -}}
{{- dig "autoscaling" "maxReplicas" 5 . -}}
{{- else -}}
{{- .replicas -}}
{{- end -}}
{{- end -}}

{{/* Whether KEDA scales vcs-worker by its queue: "true" or nothing. */}}
{{- define "parlance.keda" -}}
{{- if and (dig "autoscaling" "enabled" false (index .Values.services "vcs-worker")) .Values.keda.prometheusAddress (.Capabilities.APIVersions.Has "keda.sh/v1alpha1") -}}
true
{{- end -}}
{{- end -}}

{{/* The priority class of a process: those that answer requests, and those that work in the background. Arguments: root, name. */}}
{{- define "parlance.priorityClass" -}}
{{- printf "%s-%s-%s" .root.Release.Namespace (include "parlance.fullname" .root) (ternary "background" "serving" (has .name (list "vcs-worker" "hooks"))) -}}
{{- end -}}

{{/* Mutual TLS between processes: environment, mount and volume. */}}
{{- define "parlance.tlsEnvironment" -}}
{{- if .Values.tls.secret -}}
- { name: PARLANCE_TLS_CERT_FILE, value: /etc/parlance/tls/tls.crt }
- { name: PARLANCE_TLS_KEY_FILE, value: /etc/parlance/tls/tls.key }
- { name: PARLANCE_TLS_CA_FILE, value: /etc/parlance/tls/ca.crt }
{{- end -}}
{{- end -}}

{{- define "parlance.tlsMount" -}}
{{- if .Values.tls.secret -}}
- { name: tls, mountPath: /etc/parlance/tls, readOnly: true }
{{- end -}}
{{- end -}}

{{- define "parlance.tlsVolume" -}}
{{- with .Values.tls.secret -}}
- name: tls
  secret: { secretName: {{ . }}, defaultMode: 0440 }
{{- end -}}
{{- end -}}

{{/* TLS to engines with a client certificate: environment, mount and volume. */}}
{{- define "parlance.engineTlsEnvironment" -}}
{{- if .Values.engineTls.secret -}}
- { name: PARLANCE_ENGINES_TLS_CERT_FILE, value: /etc/parlance/engine-tls/tls.crt }
- { name: PARLANCE_ENGINES_TLS_KEY_FILE, value: /etc/parlance/engine-tls/tls.key }
- { name: PARLANCE_ENGINES_TLS_CA_FILE, value: /etc/parlance/engine-tls/ca.crt }
{{- end -}}
{{- end -}}

{{- define "parlance.engineTlsMount" -}}
{{- if .Values.engineTls.secret -}}
- { name: engine-tls, mountPath: /etc/parlance/engine-tls, readOnly: true }
{{- end -}}
{{- end -}}

{{- define "parlance.engineTlsVolume" -}}
{{- with .Values.engineTls.secret -}}
- name: engine-tls
  secret: { secretName: {{ . }}, defaultMode: 0440 }
{{- end -}}
{{- end -}}

{{/* The volume with the certificates that processes trust besides the public ones. */}}
{{- define "parlance.caVolume" -}}
{{- with .Values.caBundle -}}
{{- if .secret -}}
- name: ca
  secret: { secretName: {{ .secret }}, items: [{ key: {{ .key }}, path: ca.crt }] }
{{- else if .configMap -}}
- name: ca
  configMap: { name: {{ .configMap }}, items: [{ key: {{ .key }}, path: ca.crt }] }
{{- end -}}
{{- end -}}
{{- end -}}
