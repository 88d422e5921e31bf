{{/*
What a component is scaled by, as a list: root, key, values, numbers. `query` is the same metric for KEDA, as the sum over the
release; `target` is for each replica.
*/}}
{{- define "busbar.metrics" -}}
{{- $scaling := .values.autoscaling -}}
{{- $selector := printf "namespace=%q,release=%q" .root.Release.Namespace .root.Release.Name -}}
{{- $targets := dict "gateway" (div (mul (int .numbers.connections) 70) 100) "chargerState" 2000 "push" 10000 -}}
{{- $cpu := ternary 75 70 (eq .key "chargerState") -}}
{{- if hasKey $targets .key -}}
{{- $target := $scaling.metricTarget | kindIs "invalid" | ternary (get $targets .key) $scaling.metricTarget | int -}}
{{- if $target }}
{{- if eq .key "gateway" }}
- { type: pods, metric: busbar_gateway_connections, target: {{ $target }}, query: {{ printf "sum(busbar_gateway_connections{%s})" $selector | squote }} }
{{- else if eq .key "push" }}
- { type: pods, metric: busbar_push_waiting_events, target: {{ $target }}, query: {{ printf "sum(busbar_push_waiting_events{%s})" $selector | squote }} }
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

{{/* How fast a component grows and shrinks. A gateway that ends closes sockets, so that gateways shrink slowest. */}}
{{- define "busbar.scalingBehavior" -}}
{{- $down := dict "gateway" (dict "window" 1800 "period" 600) "chargerState" (dict "window" 300 "period" 300) "push" (dict "window" 300 "period" 300) -}}
{{- $down = default (dict "window" 300 "period" 60) (get $down .key) -}}
scaleUp:
  policies:
    - { type: Percent, value: 100, periodSeconds: 60 }
scaleDown:
  stabilizationWindowSeconds: {{ $down.window }}
  policies:
    - { type: Pods, value: 1, periodSeconds: {{ $down.period }} }
{{- end -}}
