{{/* What follows from other values: times of a stop, memory, replicas. Each is computed here and nowhere else. */}}

{{/* A number of the values as people write it: YAML has made large ones floating-point. */}}
{{- define "busbar.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) -}}
{{ int64 . }}
{{- else -}}
{{ toString . }}
{{- end -}}
{{- end -}}

{{/* A quantity of memory in MiB, rounded down: key (of the component), memory. */}}
{{- define "busbar.mebibytes" -}}
{{- $text := include "busbar.text" .memory -}}
{{- $bytes := dict "Ki" 1024.0 "Mi" 1048576.0 "Gi" 1073741824.0 "Ti" 1099511627776.0 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "" 1.0 -}}
{{- $unit := regexReplaceAll "^[0-9.]+" $text "" -}}
{{- if not (hasKey $bytes $unit) -}}
{{- include "busbar.refuse" (printf "%s.resources.limits.memory is %s: write it with Mi or Gi, such as 512Mi." .key $text) -}}
{{- end -}}
{{- divf (mulf (float64 (trimSuffix $unit $text)) (get $bytes $unit)) 1048576.0 | floor | int64 -}}
{{- end -}}

{{/* Whether a proxy in front of the pods ends TLS. */}}
{{- define "busbar.proxied" -}}
{{- if .Values.ingress.trustedProxies -}}true{{- end -}}
{{- end -}}

{{/* The Secret with the certificate that the pods present; empty without one. */}}
{{- define "busbar.certificate" -}}
{{- with .Values.tls.certificate -}}
{{- if .existingSecret -}}
{{ .existingSecret }}
{{- else if .certManager.issuerRef.name -}}
{{ include "busbar.fullname" $ }}-tls
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Whether this process ends TLS itself: root, component (of busbar.components). */}}
{{- define "busbar.endsTls" -}}
{{- if eq .component.key "gateway" -}}
{{- include "busbar.certificate" .root -}}
{{- else if not (include "busbar.proxied" .root) -}}
true
{{- end -}}
{{- end -}}

{{/*
Numbers of a component as YAML: root, component. Times in seconds, memory in MiB.
`connections`: sockets of chargers that a process may have; by default what fits into its memory.
*/}}
{{- define "busbar.numbers" -}}
{{- $values := get .root.Values .component.key -}}
{{- $settings := default (dict) $values.settings -}}
{{- $delay := int .root.Values.shutdown.delaySeconds -}}
{{- $drain := ternary 60 0 (eq .component.key "gateway") -}}
{{- if hasKey $settings "DRAIN_S" -}}
{{- $drain = int $settings.DRAIN_S -}}
{{- end -}}
{{- $memory := int (include "busbar.mebibytes" (dict "key" .component.key "memory" (dig "limits" "memory" "0" (default (dict) $values.resources)))) -}}
{{- $usable := div (mul $memory 70) 100 -}}
{{- /* KB of memory a charger takes, at least what docs/performance.md has; in the one process its record is in memory too. */}}
{{- $tls := ne (include "busbar.endsTls" .) "" -}}
{{- $socket := eq .component.key "allInOne" | ternary (ternary 44 28 $tls) (ternary 36 12 $tls) -}}
{{- $fitting := div (mul (max 0 (sub $usable 150)) 1024) $socket -}}
{{- $timeout := 10 -}}
{{- $connections := 0 -}}
{{- if .component.chargers -}}
{{- $timeout = add $drain 20 -}}
{{- $connections = default (min 15000 (mul (div $fitting 1000) 1000)) $settings.OCPP_MAX_CONNECTIONS -}}
{{- end -}}
{{- if eq .component.key "push" -}}
{{- $timeout = 15 -}}
{{- end -}}
{{- $timeout = int (default $timeout $settings.SHUTDOWN_TIMEOUT_S) -}}
{{- $grace := add $delay $timeout 10 -}}
{{- $minReady := ternary 10 5 (eq .component.key "chargerState") -}}
{{- if eq .component.key "gateway" -}}
{{- $grace = add $delay $drain 30 -}}
{{- $minReady = add $delay $drain -}}
{{- end -}}
{{- $defaultReplicas := ternary 1 2 (eq .component.key "allInOne") -}}
{{- $scaling := default (dict "kind" "none") $values.autoscaling -}}
{{- $replicas := int (default $defaultReplicas $values.replicas) }}
delay: {{ $delay }}
drain: {{ $drain }}
shutdownTimeout: {{ $timeout }}
grace: {{ $grace }}
minReady: {{ $minReady }}
progressDeadline: {{ add 600 $minReady $grace }}
memory: {{ $memory }}
heap: {{ $usable }}
socket: {{ $socket }}
connections: {{ int $connections }}
needed: {{ add 150 (div (add (mul (int $connections) $socket) 1023) 1024) }}
replicas: {{ $replicas }}
{{- if eq $scaling.kind "none" }}
least: {{ $replicas }}
most: {{ $replicas }}
{{- else }}
least: {{ int (default $defaultReplicas $scaling.min) }}
most: {{ int $scaling.max }}
{{- end }}
scaling: {{ $scaling.kind }}
{{- end -}}
