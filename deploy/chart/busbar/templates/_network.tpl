{{/* Hosts of the ways in, and parts of rules of NetworkPolicies. */}}

{{/* Hosts of the Ingress: `{host, serves}` each. */}}
{{- define "busbar.ingressHosts" -}}
{{- $hosts := list -}}
{{- if .Values.ingress.enabled -}}
{{- range concat (list (dict "host" .Values.ingress.host)) .Values.ingress.hosts -}}
{{- if .host -}}
{{- $hosts = append $hosts (dict "host" .host "serves" (default (list "chargers" "apis") .serves)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $hosts -}}
{{- end -}}

{{/*
The address of chargers, where a host of the console does not lead to them. Empty where each host of the console does, since the console then names
its own host, and where no value names a host of chargers: a Service has an address that the chart does not know.
*/}}
{{- define "busbar.consoleOcppUrl" -}}
{{- $chargers := list -}}
{{- $consoles := list -}}
{{- range include "busbar.ingressHosts" . | fromYamlArray -}}
{{- if has "chargers" .serves -}}{{- $chargers = append $chargers .host -}}{{- end -}}
{{- if has "apis" .serves -}}{{- $consoles = append $consoles .host -}}{{- end -}}
{{- end -}}
{{- with .Values.gatewayApi -}}
{{- if .enabled -}}
{{- $consoles = concat $consoles (default (list "*") .hostnames) -}}
{{- $chargers = concat $chargers (default (list "*") .hostnames) -}}
{{- end -}}
{{- if .tlsRoute.enabled -}}{{- $chargers = concat $chargers .tlsRoute.hostnames -}}{{- end -}}
{{- end -}}
{{- $elsewhere := empty $consoles -}}
{{- range $consoles -}}
{{- if not (has . $chargers) -}}{{- $elsewhere = true -}}{{- end -}}
{{- end -}}
{{- $named := list -}}
{{- range $chargers -}}
{{- if not (contains "*" .) -}}{{- $named = append $named . -}}{{- end -}}
{{- end -}}
{{- if and $elsewhere $named -}}
wss://{{ first $named }}/ocpp/
{{- end -}}
{{- end -}}

{{/* `to` or `from` with these peers; without peers, nothing, which means everybody. */}}
{{- define "busbar.peers" -}}
{{- if .peers -}}
{{ .key }}:
  {{- toYaml .peers | nindent 2 }}
{{- end -}}
{{- end -}}

{{/* Who may be reached as the broker or the store: the server of `tryOut`, or the values. */}}
{{- define "busbar.serverPeers" -}}
{{- $values := get .root.Values.networkPolicy .of -}}
{{- $server := ternary "rabbitmq" "mongodb" (eq .of "broker") -}}
{{- if (get .root.Values.tryOut $server).enabled -}}
to:
  - podSelector:
      matchLabels:
        {{- include "busbar.otherSelector" (dict "root" .root "component" $server) | nindent 8 }}
ports:
  - { port: {{ ternary 5672 27017 (eq .of "broker") }}, protocol: TCP }
{{- else -}}
{{- include "busbar.peers" (dict "key" "to" "peers" $values.to) }}
ports:
  {{- range $values.ports }}
  - { port: {{ . }}, protocol: TCP }
  {{- end }}
{{- end -}}
{{- end -}}
