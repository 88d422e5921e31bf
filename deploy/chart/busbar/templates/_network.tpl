{{/* Parts of rules of NetworkPolicies. */}}

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
