{{/* What the schema cannot say. Each is one sentence with what to do. Included once, before anything is rendered. */}}
{{- define "busbar.checks" -}}
{{- include "busbar.checkImage" (dict "image" .Values.image "at" "image" "default" .Chart.AppVersion) -}}
{{- include "busbar.checkImage" (dict "image" .Values.backup.mongodump.image "at" "backup.mongodump.image") -}}
{{- range $server := list "rabbitmq" "mongodb" -}}
{{- include "busbar.checkImage" (dict "image" (get $.Values.tryOut $server).image "at" (printf "tryOut.%s.image" $server)) -}}
{{- end -}}
{{- include "busbar.checkConnections" . -}}
{{- include "busbar.checkWaysIn" . -}}
{{- include "busbar.checkTryOut" . -}}
{{- if ne (empty .Values.smoke.v2Url) (empty .Values.smoke.ocppUrl) -}}
{{- include "busbar.refuse" "smoke.v2Url and smoke.ocppUrl belong together: set both to public addresses, or neither." -}}
{{- end -}}
{{- if and .Values.monitoring.serviceMonitor.enabled .Values.monitoring.podMonitor.enabled -}}
{{- include "busbar.refuse" "monitoring.serviceMonitor and monitoring.podMonitor are both enabled: every process would be read twice, so enable one." -}}
{{- end -}}
{{- if and (eq .Values.mode "services") .Values.backup.enabled -}}
{{- include "busbar.refuse" "backup.enabled is for mode allInOne: in mode services use backup.mongodump.enabled, or the backups of MongoDB's operator." -}}
{{- end -}}
{{- if and (eq .Values.mode "allInOne") .Values.backup.mongodump.enabled -}}
{{- include "busbar.refuse" "backup.mongodump is for mode services: in mode allInOne use backup.enabled." -}}
{{- end -}}
{{- include "busbar.checkMongodump" . -}}
{{- if hasKey .Values.allInOne "replicas" -}}
{{- include "busbar.refuse" "allInOne.replicas is not a value: one process has its data file to itself; mode services has replicas." -}}
{{- end -}}
{{- range $component := include "busbar.components" . | fromYamlArray -}}
{{- include "busbar.checkComponent" (dict "root" $ "component" $component) -}}
{{- end -}}
{{- end -}}

{{/* Ends with a sentence. `helm lint` only notes it and continues: what follows is no YAML, so that it fails too. */}}
{{- define "busbar.refuse" -}}
{{- fail . }}
refused: [
{{- end -}}

{{- define "busbar.checkImage" -}}
{{- if eq (toString .image.tag) "latest" -}}
{{- include "busbar.refuse" (printf "%s.tag is latest, which names no version: set a version, or %s.digest in its place." .at .at) -}}
{{- end -}}
{{- if not (or .image.tag .image.digest .default) -}}
{{- include "busbar.refuse" (printf "%s.tag is empty, and no digest is given: set a version, or %s.digest." .at .at) -}}
{{- end -}}
{{- end -}}

{{- define "busbar.checkConnections" -}}
{{- $root := . -}}
{{- range $of, $ways := dict "broker" (list "url" "existingSecret.name" "rabbitmqCluster") "store" (list "url" "existingSecret.name") -}}
{{- $values := get $root.Values $of -}}
{{- $tryOut := ternary "rabbitmq" "mongodb" (eq $of "broker") -}}
{{- $given := list -}}
{{- if $values.url -}}{{- $given = append $given (printf "%s.url" $of) -}}{{- end -}}
{{- if $values.existingSecret.name -}}{{- $given = append $given (printf "%s.existingSecret.name" $of) -}}{{- end -}}
{{- if $values.rabbitmqCluster -}}{{- $given = append $given (printf "%s.rabbitmqCluster" $of) -}}{{- end -}}
{{- if (get $root.Values.tryOut $tryOut).enabled -}}{{- $given = append $given (printf "tryOut.%s.enabled" $tryOut) -}}{{- end -}}
{{- if gt (len $given) 1 -}}
{{- include "busbar.refuse" (printf "%s are both set: keep one." (join " and " $given)) -}}
{{- end -}}
{{- if eq $root.Values.mode "services" -}}
{{- if not $given -}}
{{- include "busbar.refuse" (printf "mode services needs a %s: set one of %s.%s." $of $of (join (printf ", %s." $of) $ways)) -}}
{{- end -}}
{{- range $scheme := list "memory:" "file:" -}}
{{- if hasPrefix $scheme $values.url -}}
{{- include "busbar.refuse" (printf "%s.url begins with %s, which no other process reaches: mode services needs a server; mode allInOne has it." $of $scheme) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "busbar.checkWaysIn" -}}
{{- $proxies := .Values.ingress.trustedProxies -}}
{{- range $proxies -}}
{{- if hasSuffix "/0" . -}}
{{- include "busbar.refuse" (printf "ingress.trustedProxies has %s: anybody could then send X-Forwarded-Proto and X-Forwarded-For, so name the networks of the controller's pods alone." .) -}}
{{- end -}}
{{- end -}}
{{- if not $proxies -}}
{{- range $way, $isOn := dict "ingress" .Values.ingress.enabled "gatewayApi" .Values.gatewayApi.enabled -}}
{{- if $isOn -}}
{{- include "busbar.refuse" (printf "%s.enabled without ingress.trustedProxies: the pods would serve TLS=off and believe nobody's X-Forwarded headers, so set the networks of the controller's pods." $way) -}}
{{- end -}}
{{- end -}}
{{- if and (eq .Values.mode "services") (not (include "busbar.certificate" .)) -}}
{{- include "busbar.refuse" "Nothing ends TLS: set ingress.trustedProxies to the networks of the proxy that does, or tls.certificate to have the pods do it." -}}
{{- end -}}
{{- end -}}
{{- with .Values.tls.certificate -}}
{{- if and .existingSecret .certManager.issuerRef.name -}}
{{- include "busbar.refuse" "tls.certificate.existingSecret and tls.certificate.certManager.issuerRef.name are both set: keep one." -}}
{{- end -}}
{{- $first := include "busbar.certificate" $ -}}
{{- if and .otherSecrets (not $first) -}}
{{- include "busbar.refuse" "tls.certificate.otherSecrets without a first certificate: set tls.certificate.existingSecret or tls.certificate.certManager." -}}
{{- end -}}
{{- if has $first .otherSecrets -}}
{{- include "busbar.refuse" (printf "tls.certificate.otherSecrets has %s, which is the first certificate already: name one with a key of another type." $first) -}}
{{- end -}}
{{- if and .certManager.issuerRef.name (not .certManager.dnsNames) -}}
{{- include "busbar.refuse" "tls.certificate.certManager.dnsNames is empty: set the names that chargers and clients use." -}}
{{- end -}}
{{- end -}}
{{- if .Values.tls.clientCa.existingSecret -}}
{{- if and (eq .Values.mode "services") (not (include "busbar.certificate" .)) -}}
{{- include "busbar.refuse" "tls.clientCa.existingSecret is set, and no gateway ends TLS, so none asks for a client certificate: set tls.certificate and a way that passes TLS through, or remove tls.clientCa." -}}
{{- end -}}
{{- if and (eq .Values.mode "allInOne") $proxies -}}
{{- include "busbar.refuse" "tls.clientCa.existingSecret and ingress.trustedProxies are both set: behind a proxy the one process does not end TLS and asks for no client certificate, so remove one." -}}
{{- end -}}
{{- end -}}
{{- range $way, $isOn := dict "gateway.passthrough" .Values.gateway.passthrough.enabled "gatewayApi.tlsRoute" .Values.gatewayApi.tlsRoute.enabled -}}
{{- if $isOn -}}
{{- if and (eq $.Values.mode "services") (not (include "busbar.certificate" $)) -}}
{{- include "busbar.refuse" (printf "%s leads to the TLS port of the gateways, and there is no certificate: set tls.certificate." $way) -}}
{{- end -}}
{{- if and (eq $.Values.mode "allInOne") $proxies -}}
{{- include "busbar.refuse" (printf "%s and ingress.trustedProxies are both set: the one process has one port, which is either plain behind a proxy or TLS, so keep one." $way) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- include "busbar.checkIngress" . -}}
{{- end -}}

{{- define "busbar.checkIngress" -}}
{{- with .Values.ingress -}}
{{- if .enabled -}}
{{- if not (or .host .hosts) -}}
{{- include "busbar.refuse" "ingress.enabled without ingress.host: set the host that chargers and clients use." -}}
{{- end -}}
{{- if not (or .tls .tlsElsewhere) -}}
{{- include "busbar.refuse" "ingress.enabled without ingress.tls: the APIs accept only HTTPS, so set ingress.tls, or ingress.tlsElsewhere where the controller has the certificate." -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if .Values.gatewayApi.enabled -}}
{{- if not .Values.gatewayApi.parentRefs -}}
{{- include "busbar.refuse" "gatewayApi.enabled without gatewayApi.parentRefs: name the Gateway." -}}
{{- end -}}
{{- end -}}
{{- with .Values.gatewayApi.tlsRoute -}}
{{- if and .enabled (not (and .parentRefs .hostnames)) -}}
{{- include "busbar.refuse" "gatewayApi.tlsRoute.enabled without its parentRefs and hostnames: set both." -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "busbar.checkTryOut" -}}
{{- with .Values.tryOut -}}
{{- if and (or .rabbitmq.enabled .mongodb.enabled) (lt (len .password) 16) -}}
{{- include "busbar.refuse" "tryOut.password is missing or shorter than 16 characters: set one." -}}
{{- end -}}
{{- if and (eq $.Values.mode "allInOne") (or .rabbitmq.enabled .mongodb.enabled) -}}
{{- include "busbar.refuse" "tryOut is for mode services: the one process of mode allInOne needs neither RabbitMQ nor MongoDB." -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "busbar.checkMongodump" -}}
{{- with .Values.backup.mongodump -}}
{{- if .enabled -}}
{{- if $.Values.tryOut.mongodb.enabled -}}
{{- include "busbar.refuse" "backup.mongodump.enabled and tryOut.mongodb.enabled are both set: that MongoDB is no replica set, which mongodump --oplog needs, so disable one." -}}
{{- end -}}
{{- if not .existingSecret.name -}}
{{- include "busbar.refuse" "backup.mongodump.enabled without backup.mongodump.existingSecret.name: name the Secret with the URL, without a database, of a user with MongoDB's role backup." -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "busbar.checkComponent" -}}
{{- $key := .component.key -}}
{{- $values := get .root.Values $key -}}
{{- $settings := default (dict) $values.settings -}}
{{- range $name, $where := .root.Files.Get "files/elsewhere.yaml" | fromYaml -}}
{{- if hasKey $settings $name -}}
{{- include "busbar.refuse" (printf "%s.settings.%s does not belong there: %s." $key $name $where) -}}
{{- end -}}
{{- end -}}
{{- if not (dig "limits" "memory" "" (default (dict) $values.resources)) -}}
{{- include "busbar.refuse" (printf "%s.resources.limits.memory is missing: the size of the heap follows from it." $key) -}}
{{- end -}}
{{- $numbers := include "busbar.numbers" . | fromYaml -}}
{{- $scope := dict "key" $key "values" $values "settings" $settings "numbers" $numbers "root" .root "component" .component -}}
{{- include "busbar.checkExtraVariables" $scope -}}
{{- include "busbar.checkStop" $scope -}}
{{- include "busbar.checkMemory" $scope -}}
{{- include "busbar.checkScaling" $scope -}}
{{- end -}}

{{/* A second entry of a name would replace the chart's own, unseen by all that is computed with it. X and X_FILE are one variable. */}}
{{- define "busbar.checkExtraVariables" -}}
{{- $key := .key -}}
{{- $elsewhere := .root.Files.Get "files/elsewhere.yaml" | fromYaml -}}
{{- $rendered := list -}}
{{- range $name, $_ := include "busbar.variables" . | fromYaml -}}
{{- $rendered = append $rendered (trimSuffix "_FILE" $name) -}}
{{- end -}}
{{- range include "busbar.files" . | fromYamlArray -}}
{{- $rendered = append $rendered (trimSuffix "_FILE" .variable) -}}
{{- end -}}
{{- $given := list -}}
{{- range $name, $_ := .settings -}}
{{- $given = append $given (trimSuffix "_FILE" $name) -}}
{{- end -}}
{{- range .values.extraEnv -}}
{{- $name := trimSuffix "_FILE" (toString .name) -}}
{{- if has $name $given -}}
{{- include "busbar.refuse" (printf "%s.extraEnv has %s, and %s.settings sets it too: keep one." $key .name $key) -}}
{{- else if has $name $rendered -}}
{{- $where := get $elsewhere $name | default (get $elsewhere (printf "%s_FILE" $name)) | default (printf "the chart computes with it, so use %s.settings" $key) -}}
{{- include "busbar.refuse" (printf "%s.extraEnv.%s does not belong there: %s." $key .name $where) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "busbar.checkStop" -}}
{{- if .component.chargers -}}
{{- $least := add (int .numbers.drain) 20 -}}
{{- if lt (int .numbers.shutdownTimeout) (int $least) -}}
{{- include "busbar.refuse" (printf "%s.settings.SHUTDOWN_TIMEOUT_S is %d and DRAIN_S %d: it must be at least %d." .key (int .numbers.shutdownTimeout) (int .numbers.drain) $least) -}}
{{- end -}}
{{- end -}}
{{- $longest := sub (int .numbers.grace) (int .numbers.delay) -}}
{{- if gt (int .numbers.shutdownTimeout) (int $longest) -}}
{{- include "busbar.refuse" (printf "%s.settings.SHUTDOWN_TIMEOUT_S is %d, and the pod is killed %d s after the delay: set at most %d, or leave it to the chart." .key (int .numbers.shutdownTimeout) $longest $longest) -}}
{{- end -}}
{{- end -}}

{{- define "busbar.checkMemory" -}}
{{- $numbers := .numbers -}}
{{- if .component.chargers -}}
{{- if lt (int $numbers.connections) 1 -}}
{{- include "busbar.refuse" (printf "%s.resources.limits.memory is %d MiB, in which no connections fit: set at least %dMi." .key (int $numbers.memory) (add1 (div (mul (add 151 (div (mul 1000 (int $numbers.socket)) 1024)) 100) 70))) -}}
{{- end -}}
{{- if gt (int $numbers.needed) (int $numbers.heap) -}}
{{- include "busbar.refuse" (printf "%s: %d connections of %d KB and 150 MiB need %d MiB, and 70 %% of resources.limits.memory is %d MiB: set a limit of at least %dMi, or a smaller OCPP_MAX_CONNECTIONS." .key (int $numbers.connections) (int $numbers.socket) (int $numbers.needed) (int $numbers.heap) (add1 (div (mul (int $numbers.needed) 100) 70))) -}}
{{- end -}}
{{- $pace := div (mul (int $numbers.most) (int $numbers.connections)) (max 1 (int $numbers.drain)) -}}
{{- if and (eq .key "gateway") (gt $pace 1000) -}}
{{- include "busbar.refuse" (printf "%s: %d gateways of %d connections that close within DRAIN_S %d are %d closed connections a second, more than 1000: set DRAIN_S to at least %d, or OCPP_MAX_CONNECTIONS to at most %d." .key (int $numbers.most) (int $numbers.connections) (int $numbers.drain) $pace (add1 (div (mul (int $numbers.most) (int $numbers.connections)) 1000)) (div (mul 1000 (max 1 (int $numbers.drain))) (int $numbers.most))) -}}
{{- end -}}
{{- end -}}
{{- range .values.extraEnv -}}
{{- if eq .name "NODE_OPTIONS" -}}
{{- $heap := regexFind "--max[-_]old[-_]space[-_]size=[0-9]+" (toString .value) | regexFind "[0-9]+$" | int -}}
{{- if gt $heap (int $numbers.heap) -}}
{{- include "busbar.refuse" (printf "%s.extraEnv: a heap of %d MiB does not fit, since 70 %% of resources.limits.memory is %d MiB: set a limit of at least %dMi." $.key $heap (int $numbers.heap) (add1 (div (mul $heap 100) 70))) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "busbar.checkScaling" -}}
{{- if ne .key "allInOne" -}}
{{- $scaling := .values.autoscaling -}}
{{- $partitions := int .root.Values.partitions -}}
{{- if ne $scaling.kind "none" -}}
{{- if not (kindIs "invalid" .values.replicas) -}}
{{- include "busbar.refuse" (printf "%s.replicas and %s.autoscaling.kind %s are both set: the autoscaler sets the replicas, so remove replicas." .key .key $scaling.kind) -}}
{{- end -}}
{{- if gt (int $scaling.min) (int $scaling.max) -}}
{{- include "busbar.refuse" (printf "%s.autoscaling.min is %d and max %d: the minimum is above the maximum, so lower min or raise max." .key (int $scaling.min) (int $scaling.max)) -}}
{{- end -}}
{{- if not (include "busbar.metrics" . | fromYamlArray) -}}
{{- include "busbar.refuse" (printf "%s.autoscaling.kind is %s without a metric: set metricTarget or cpuTarget above 0, or leave them empty." .key $scaling.kind) -}}
{{- end -}}
{{- if and (eq $scaling.kind "keda") (not .root.Values.monitoring.prometheusAddress) (hasKey $scaling "metricTarget") -}}
{{- include "busbar.refuse" (printf "%s.autoscaling.kind is keda without monitoring.prometheusAddress: set the address that KEDA asks." .key) -}}
{{- end -}}
{{- end -}}
{{- if and (eq .key "chargerState") (gt (int .numbers.most) $partitions) -}}
{{- include "busbar.refuse" (printf "chargerState has up to %d replicas and partitions is %d: further replicas have nothing to do, so set at most %d." (int .numbers.most) $partitions $partitions) -}}
{{- end -}}
{{- with .values.pdb -}}
{{- if and .enabled (not (kindIs "invalid" .minAvailable)) -}}
{{- if ge (int .minAvailable) (int $.numbers.least) -}}
{{- include "busbar.refuse" (printf "%s.pdb.minAvailable is %d with %d replicas: no pod could ever be evicted, so set more replicas, or pdb.maxUnavailable." $.key (int .minAvailable) (int $.numbers.least)) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
