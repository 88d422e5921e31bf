{{/*
What a component is scaled by, as a list: root, key, values, numbers. `query` is the same metric for KEDA, as the sum over the
release; `target` is for each replica.
*/}}
{{- define "busbar.metrics" -}}
{{- $scaling := .values.autoscaling -}}
{{- $selector := printf "namespace=%q,release=%q" .root.Release.Namespace .root.Release.Name -}}
{{- $targets := dict "gateway" (div (mul (int .numbers.connections) 70) 100) "chargerState" 2000 -}}
{{- $cpu := ternary 75 70 (eq .key "chargerState") -}}
{{- if hasKey $targets .key -}}
{{- $target := $scaling.metricTarget | kindIs "invalid" | ternary (get $targets .key) $scaling.metricTarget | int -}}
{{- if $target }}
{{- if eq .key "gateway" }}
- { type: pods, metric: busbar_gateway_connections, target: {{ $target }}, query: {{ printf "sum(busbar_gateway_connections{%s})" $selector | squote }} }
{{- else }}
- { type: pods, metric: busbar_state_waiting, target: {{ $target }}, labels: { queue: reports }, query: {{ printf "max(busbar_state_waiting{queue=\"reports\",%s})" $selector | squote }} }
{{- end }}
{{- end }}
{{- end }}
{{- $percent := $scaling.cpuTarget | kindIs "invalid" | ternary $cpu $scaling.cpuTarget | int }}
{{- if $percent }}
- { type: cpu, target: {{ $percent }} }
{{- end }}
{{- end -}}
