{{/* URLs that stand in the values, or that `tryOut` makes: the content of the chart's own Secret. Empty where all are elsewhere. */}}
{{- define "busbar.connections" -}}
{{- $name := include "busbar.fullname" . -}}
{{- $password := .Values.tryOut.password | urlquery -}}
{{- if .Values.broker.url }}
broker-url: {{ .Values.broker.url | quote }}
{{- else if .Values.tryOut.rabbitmq.enabled }}
broker-url: {{ printf "amqp://busbar:%s@%s-rabbitmq:5672/" $password $name | quote }}
{{- end }}
{{- if .Values.store.url }}
store-url: {{ .Values.store.url | quote }}
{{- else if .Values.tryOut.mongodb.enabled }}
store-url: {{ printf "mongodb://busbar:%s@%s-mongodb:27017/busbar?authSource=admin" $password $name | quote }}
{{- end }}
{{- end -}}
