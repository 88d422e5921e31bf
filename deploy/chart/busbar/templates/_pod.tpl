{{/* The parts of a pod that runs a process of Busbar: root, component (of busbar.components), numbers. */}}

{{- define "busbar.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
# Once: a large volume is not walked through at each start, and files that are their owner's alone stay so.
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "busbar.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{/*
Files of a pod as a list: `variable` names the file's path to the process, `secret` and `key` are where it lies. A variable of several
files is a comma list of their paths. The folder is mounted as a whole, never a single file, so that a renewed certificate arrives.
*/}}
{{- define "busbar.files" -}}
{{- $root := .root -}}
{{- $component := .component -}}
{{- $own := printf "%s-connections" (include "busbar.fullname" $root) -}}
{{- with include "busbar.connection" (dict "root" $root "of" "broker") | fromYaml -}}
{{- if .secret }}
- { folder: broker, secret: {{ .secret }}, key: {{ .key }}, file: url, variable: BROKER_URL_FILE }
{{- end }}
{{- end }}
{{- with $root.Values.broker.caSecret }}
{{- if .name }}
- { folder: broker-ca, secret: {{ .name }}, key: {{ .key }}, file: ca.crt, variable: BROKER_CA_FILE }
{{- end }}
{{- end }}
{{- with $root.Values.broker.clientCertificateSecret }}
- { folder: broker-client, secret: {{ . }}, key: tls.crt, file: tls.crt, variable: BROKER_CERT_FILE }
- { folder: broker-client, secret: {{ . }}, key: tls.key, file: tls.key, variable: BROKER_KEY_FILE }
{{- end }}
{{- if $component.store }}
{{- with include "busbar.connection" (dict "root" $root "of" "store") | fromYaml -}}
{{- if .secret }}
- { folder: store, secret: {{ .secret }}, key: {{ .key }}, file: url, variable: STORE_URL_FILE }
{{- end }}
{{- end }}
{{- with $root.Values.store.caSecret }}
{{- if .name }}
- { folder: store-ca, secret: {{ .name }}, key: {{ .key }}, file: ca.crt, variable: STORE_CA_FILE }
{{- end }}
{{- end }}
{{- end }}
{{- if and $component.bootstrap $root.Values.bootstrap.existingSecret }}
{{- $secret := $root.Values.bootstrap.existingSecret }}
{{- with $root.Values.bootstrap.keys }}
- { folder: bootstrap, secret: {{ $secret }}, key: {{ .clientId }}, file: client-id, variable: BOOTSTRAP_CLIENT_ID_FILE }
- { folder: bootstrap, secret: {{ $secret }}, key: {{ .apiKey }}, file: api-key, variable: BOOTSTRAP_API_KEY_FILE }
{{- if .clientName }}
- { folder: bootstrap, secret: {{ $secret }}, key: {{ .clientName }}, file: client-name, variable: BOOTSTRAP_CLIENT_NAME_FILE }
{{- end }}
{{- end }}
{{- end }}
{{- $listens := or $component.chargers $component.apis }}
{{- if and $listens (include "busbar.endsTls" .) (include "busbar.certificate" $root) }}
- { folder: tls, secret: {{ include "busbar.certificate" $root }}, key: tls.crt, file: tls.crt, variable: TLS_CERT_FILE }
- { folder: tls, secret: {{ include "busbar.certificate" $root }}, key: tls.key, file: tls.key, variable: TLS_KEY_FILE }
{{- range $index, $secret := $root.Values.tls.certificate.otherSecrets }}
- { folder: tls-{{ add $index 2 }}, secret: {{ $secret }}, key: tls.crt, file: tls.crt, variable: TLS_CERT_FILE }
- { folder: tls-{{ add $index 2 }}, secret: {{ $secret }}, key: tls.key, file: tls.key, variable: TLS_KEY_FILE }
{{- end }}
{{- end }}
{{- with $root.Values.tls.clientCa }}
{{- if and $component.chargers .existingSecret (include "busbar.endsTls" $) }}
- { folder: client-ca, secret: {{ .existingSecret }}, key: {{ .key }}, file: ca.crt, variable: TLS_CLIENT_CA_FILE }
{{- end }}
{{- end }}
{{- if has $component.key (list "chargerState" "allInOne") }}
{{- range $folder, $authority := dict "charger-ca" $root.Values.chargerCa "v2g-ca" $root.Values.v2gCa "v2g20-ca" $root.Values.v2g20Ca }}
{{- if $authority.existingSecret }}
{{- $variables := $folder | upper | replace "-" "_" }}
- { folder: {{ $folder }}, secret: {{ $authority.existingSecret }}, key: tls.crt, file: tls.crt, variable: {{ $variables }}_CERT_FILE }
- { folder: {{ $folder }}, secret: {{ $authority.existingSecret }}, key: tls.key, file: tls.key, variable: {{ $variables }}_KEY_FILE }
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Where the URL of the broker or the store lies: `secret` and `key`; empty where the process has its own. */}}
{{- define "busbar.connection" -}}
{{- $values := get .root.Values .of -}}
{{- $own := printf "%s-connections" (include "busbar.fullname" .root) -}}
{{- $tryOut := get .root.Values.tryOut (ternary "rabbitmq" "mongodb" (eq .of "broker")) -}}
{{- if $values.existingSecret.name -}}
{ secret: {{ $values.existingSecret.name }}, key: {{ $values.existingSecret.key }} }
{{- else if and (eq .of "broker") $values.rabbitmqCluster -}}
{ secret: {{ $values.rabbitmqCluster }}-default-user, key: connection_string }
{{- else if or $values.url $tryOut.enabled -}}
{ secret: {{ $own }}, key: {{ .of }}-url }
{{- else -}}
{}
{{- end -}}
{{- end -}}

{{/* Variables that the chart sets, as a map. Secrets are not among them: they are files. */}}
{{- define "busbar.variables" -}}
{{- $root := .root -}}
{{- $component := .component -}}
INTERNAL_HOST: 0.0.0.0
INTERNAL_PORT: 9090
SHUTDOWN_DELAY_S: {{ .numbers.delay }}
SHUTDOWN_TIMEOUT_S: {{ .numbers.shutdownTimeout }}
{{- if or $component.chargers (eq $component.key "chargerState") }}
PARTITIONS: {{ $root.Values.partitions }}
{{- end }}
{{- if $component.chargers }}
OCPP_MAX_CONNECTIONS: {{ .numbers.connections }}
DRAIN_S: {{ .numbers.drain }}
{{- end }}
{{- if or $component.chargers $component.apis }}
HOST: 0.0.0.0
{{- if include "busbar.endsTls" . }}
PORT: 8443
TLS: "on"
{{- if $component.chargers }}
{{- if and (eq $component.key "gateway") (include "busbar.proxied" $root) }}
OCPP_PLAIN_PORT: "8080"
{{- else }}
OCPP_PLAIN_PORT: "off"
{{- end }}
{{- end }}
{{- else }}
PORT: 8080
TLS: "off"
{{- if $component.chargers }}
OCPP_PLAIN_PORT: "off"
{{- end }}
{{- end }}
{{- if include "busbar.proxied" $root }}
TRUSTED_PROXIES: {{ join "," $root.Values.ingress.trustedProxies | quote }}
{{- end }}
{{- end }}
{{- end -}}

{{/* `env` of the process: the chart's variables, `settings`, the paths of files, `extraEnv`. */}}
{{- define "busbar.environment" -}}
{{- $values := get .root.Values .component.key -}}
{{- $variables := include "busbar.variables" . | fromYaml -}}
{{- $variables = mergeOverwrite (default (dict) (deepCopy $values.settings)) $variables -}}
{{- $paths := dict -}}
{{- range include "busbar.files" . | fromYamlArray -}}
{{- $path := printf "/secrets/%s/%s" .folder .file -}}
{{- $_ := set $paths .variable (append (default (list) (get $paths .variable)) $path) -}}
{{- end -}}
{{- range $variable, $each := $paths -}}
{{- $_ := set $variables $variable (join "," $each) -}}
{{- end -}}
{{- $names := list -}}
{{- range $values.extraEnv -}}
{{- $names = append $names .name -}}
{{- end -}}
{{- $ocppUrl := include "busbar.consoleOcppUrl" .root -}}
{{- if and $ocppUrl (has "/console" .component.apis) (not (hasKey $variables "CONSOLE_OCPP_URL")) (not (or (has "CONSOLE_OCPP_URL" $names) (has "CONSOLE_OCPP_URL_FILE" $names))) -}}
{{- $_ := set $variables "CONSOLE_OCPP_URL" $ocppUrl -}}
{{- end -}}
{{- if not (has "NODE_OPTIONS" $names) }}
- name: NODE_OPTIONS
  value: --max-old-space-size={{ .numbers.heap }}
{{- end }}
{{- range $name, $value := $variables }}
- name: {{ $name }}
  value: {{ include "busbar.text" $value | quote }}
{{- end }}
{{- with $values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "busbar.mounts" -}}
{{- $folders := list -}}
{{- range include "busbar.files" . | fromYamlArray -}}
{{- if not (has .folder $folders) }}
- name: {{ .folder }}
  mountPath: /secrets/{{ .folder }}
  readOnly: true
{{- $folders = append $folders .folder }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "busbar.volumes" -}}
{{- $files := include "busbar.files" . | fromYamlArray -}}
{{- $folders := list -}}
{{- range $files -}}
{{- if not (has .folder $folders) -}}
{{- $folder := .folder }}
- name: {{ $folder }}
  secret:
    secretName: {{ .secret }}
    # 0440: the process reads them as its group.
    defaultMode: 288
    items:
      {{- range $files }}
      {{- if eq .folder $folder }}
      - { key: {{ .key }}, path: {{ .file }} }
      {{- end }}
      {{- end }}
{{- $folders = append $folders $folder }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Ports of the process by name; `internal` is never part of a public Service. */}}
{{- define "busbar.ports" -}}
{{- $variables := include "busbar.variables" . | fromYaml -}}
- { name: internal, containerPort: 9090, protocol: TCP }
{{- if eq (toString $variables.TLS) "on" }}
- { name: https, containerPort: 8443, protocol: TCP }
{{- if eq (toString $variables.OCPP_PLAIN_PORT) "8080" }}
- { name: http, containerPort: 8080, protocol: TCP }
{{- end }}
{{- else if eq (toString $variables.TLS) "off" }}
- { name: http, containerPort: 8080, protocol: TCP }
{{- end }}
{{- end -}}

{{- define "busbar.probes" -}}
# A minute to begin. A migration keeps a pod unready, and does not kill it.
startupProbe:
  httpGet: { path: /livez, port: internal }
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 30
# The event loop has not run for a minute.
livenessProbe:
  httpGet: { path: /livez, port: internal }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: internal }
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 2
{{- end -}}

{{/* `metadata` of a pod template. The checksum restarts the pods when what the chart itself rendered for them changes. */}}
{{- define "busbar.podMetadata" -}}
{{- $values := get .root.Values .component.key -}}
labels:
  {{- include "busbar.podLabels" (dict "root" .root "component" .component.name) | nindent 2 }}
  {{- with $values.podLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
annotations:
  checksum/connections: {{ include "busbar.connections" .root | sha256sum }}
  {{- with .root.Values.commonAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- with $values.podAnnotations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- end -}}

{{/* Describes a pod and the node that it runs on. */}}
{{- define "busbar.podPlacement" -}}
{{- $values := get .root.Values .component.key -}}
serviceAccountName: {{ include "busbar.fullname" .root }}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  {{- include "busbar.podSecurity" . | nindent 2 }}
terminationGracePeriodSeconds: {{ .numbers.grace }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- if ne .component.key "allInOne" }}
tolerations:
  # Its work moves to another node after 30 s, not after the 5 min that are usual.
  - { key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 30 }
  - { key: node.kubernetes.io/unreachable, operator: Exists, effect: NoExecute, tolerationSeconds: 30 }
  {{- with $values.tolerations }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
topologySpreadConstraints:
  {{- if $values.topologySpread }}
  {{- toYaml $values.topologySpread | nindent 2 }}
  {{- else }}
  {{- $selector := include "busbar.selector" (dict "root" .root "component" .component.name) }}
  {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
  - topologyKey: {{ . }}
    maxSkew: 1
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- $selector | nindent 8 }}
    # Pods of the version before do not count: without it all new ones may come to one node.
    matchLabelKeys: [pod-template-hash]
  {{- end }}
  {{- end }}
{{- else }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* The container of the process. */}}
{{- define "busbar.container" -}}
{{- $values := get .root.Values .component.key -}}
name: {{ .component.name }}
image: {{ include "busbar.image" (dict "image" .root.Values.image "default" .root.Chart.AppVersion) }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
command: [node, --max-semi-space-size=32, {{ .component.main }}]
securityContext:
  {{- include "busbar.containerSecurity" . | nindent 2 }}
ports:
  {{- include "busbar.ports" . | nindent 2 }}
env:
  {{- include "busbar.environment" . | trim | nindent 2 }}
{{- include "busbar.probes" . | nindent 0 }}
resources:
  {{- toYaml $values.resources | nindent 2 }}
{{- end -}}
