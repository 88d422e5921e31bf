{{/* Names, labels and the list of processes. */}}

{{- define "busbar.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "busbar.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "busbar.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "busbar.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/*
The processes of this release. `key`: their values. `kind`: what they are asked as. `chargers`, `apis`: what they serve, as paths.
`store`: whether they reach the store. `egress`: whether they send requests to servers of others.
*/}}
{{- define "busbar.components" -}}
{{- if eq .Values.mode "allInOne" -}}
- { key: allInOne, name: all-in-one, main: services/all-in-one/dist/main.js, chargers: true, apis: [/v2, /api, /docs, /console], broker: true, store: true, bootstrap: true, egress: true }
{{- else -}}
- { key: gateway, name: gateway, main: services/ocpp-gateway/dist/main.js, chargers: true, apis: [], broker: true, store: false, bootstrap: false }
- { key: chargerState, name: charger-state, main: services/charger-state/dist/main.js, chargers: false, apis: [], broker: true, store: true, bootstrap: false }
{{- if .Values.push.enabled }}
- { key: push, name: push, main: services/push/dist/main.js, chargers: false, apis: [], broker: true, store: true, bootstrap: false, egress: true }
{{- end }}
- { key: v2Api, name: v2-api, main: services/v2-api/dist/main.js, chargers: false, apis: [/v2, /console], broker: true, store: true, bootstrap: true }
{{- if .Values.legacyApi.enabled }}
- { key: legacyApi, name: legacy-api, main: services/legacy-api/dist/main.js, chargers: false, apis: [/api], broker: true, store: true, bootstrap: true }
{{- end -}}
{{- end -}}
{{- end -}}

{{/* What selects the pods of one process. */}}
{{- define "busbar.selector" -}}
app.kubernetes.io/name: {{ include "busbar.name" .root }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* What selects a pod that is no process of Busbar's. The name differs, so that monitoring never selects it with them. */}}
{{- define "busbar.otherSelector" -}}
app.kubernetes.io/name: {{ include "busbar.name" .root }}-{{ .component }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* What every pod of the release has, whatever it is. */}}
{{- define "busbar.releaseSelector" -}}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/part-of: busbar
{{- end -}}

{{/* Labels of pods: nothing that changes with the chart alone, so that an upgrade without a change restarts nothing. */}}
{{- define "busbar.podLabels" -}}
{{ include "busbar.selector" . }}
app.kubernetes.io/part-of: busbar
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "busbar.otherPodLabels" -}}
{{ include "busbar.otherSelector" . }}
app.kubernetes.io/part-of: busbar
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* `metadata` of an object: root, name (after the release's), component, labels, annotations. */}}
{{- define "busbar.metadata" -}}
{{- $annotations := merge (dict) (default (dict) .annotations) .root.Values.commonAnnotations -}}
name: {{ include "busbar.fullname" .root }}{{ with .name }}-{{ . }}{{ end }}
namespace: {{ .root.Release.Namespace }}
labels:
  helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
  app.kubernetes.io/name: {{ include "busbar.name" .root }}
  app.kubernetes.io/instance: {{ .root.Release.Name }}
  {{- with .component }}
  app.kubernetes.io/component: {{ . }}
  {{- end }}
  app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
  app.kubernetes.io/part-of: busbar
  app.kubernetes.io/managed-by: {{ .root.Release.Service }}
  {{- with .root.Values.commonLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
  {{- with .labels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with $annotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* REPOSITORY@DIGEST, else REPOSITORY:TAG. */}}
{{- define "busbar.image" -}}
{{- if .image.digest -}}
{{ .image.repository }}@{{ .image.digest }}
{{- else -}}
{{ .image.repository }}:{{ default .default .image.tag }}
{{- end -}}
{{- end -}}
