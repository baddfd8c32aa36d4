{{- define "quittance.fullname" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "quittance.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "quittance.labels" -}}
{{ include "quittance.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "quittance.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}
{{- end -}}

{{- define "quittance.serviceAccount" -}}
{{- .Values.serviceAccount.name | default (include "quittance.fullname" .) -}}
{{- end -}}

{{- /* A pod that may nothing but run. Variables of services would be taken for settings. */ -}}
{{- define "quittance.podRights" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  # Files of the disk keep their mode: the service refuses keys that others may read.
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{- define "quittance.containerRights" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "quittance.databaseEnv" -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ required "database.existingSecret: say which secret has the address of the database" .Values.database.existingSecret }}
      key: {{ .Values.database.urlKey }}
{{- end -}}

{{- /* Takes a dictionary: root, role, settings (of that role), isKept (it has a disk). */ -}}
{{- define "quittance.pod" -}}
{{- $root := .root -}}
{{- $values := $root.Values -}}
{{- $role := .role -}}
{{- $own := .settings -}}
{{- with $root }}
metadata:
  labels:
    {{- include "quittance.labels" . | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
    # What runs for longer: neither the job nor the test.
    quittance/role: any
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    # Settings are read at the start: other ones start it anew.
    checksum/settings: {{ include (print .Template.BasePath "/settings.yaml") . | sha256sum }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  {{- include "quittance.podRights" . | nindent 2 }}
  serviceAccountName: {{ include "quittance.serviceAccount" . }}
  terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
  {{- if gt (int $own.replicas) 1 }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "quittance.selector" . | nindent 10 }}
          app.kubernetes.io/component: {{ $role }}
  {{- end }}
  {{- with $own.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $own.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $own.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  initContainers:
    - name: secrets
      image: {{ include "quittance.image" . }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      command: [node, --eval]
      args:
        - |
          {{- .Files.Get "files/place-secrets.cjs" | trim | nindent 10 }}
        - /run/given
        - /run/private
        - /data/keys
      securityContext:
        {{- include "quittance.containerRights" . | nindent 8 }}
      resources:
        requests: { cpu: 50m, memory: 64Mi }
        limits: { memory: 128Mi }
      volumeMounts:
        - { name: given, mountPath: /run/given, readOnly: true }
        - { name: private, mountPath: /run/private }
        - { name: data, mountPath: /data }
  containers:
    - name: quittance
      image: {{ include "quittance.image" . }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      securityContext:
        {{- include "quittance.containerRights" . | nindent 8 }}
      envFrom:
        - configMapRef: { name: {{ include "quittance.fullname" . }} }
      env:
        - { name: ROLES, value: {{ $role }} }
        {{- include "quittance.databaseEnv" . | nindent 8 }}
        {{- range .Values.secretSettings }}
        - name: {{ .name }}
          valueFrom: { secretKeyRef: { name: {{ .secret }}, key: {{ .key }} } }
        {{- end }}
        {{- range .Values.secretFiles }}
        - { name: {{ .name }}, value: /run/private/{{ .name }} }
        {{- end }}
      ports:
        {{- if eq $role "serve" }}
        - { name: http, containerPort: 8080 }
        {{- end }}
        - { name: metrics, containerPort: 9464 }
      startupProbe:
        httpGet: { path: /live, port: metrics }
        periodSeconds: 2
        timeoutSeconds: 5
        failureThreshold: 150
      livenessProbe:
        httpGet: { path: /live, port: metrics }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /ready, port: {{ eq $role "serve" | ternary "http" "metrics" }} }
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 2
      {{- if and (eq $role "serve") (gt (int .Values.drainSeconds) 0) }}
      lifecycle:
        preStop:
          exec:
            command: [node, --eval, 'setTimeout(() => {}, {{ mul .Values.drainSeconds 1000 }})']
      {{- end }}
      resources:
        {{- toYaml $own.resources | nindent 8 }}
      volumeMounts:
        - { name: data, mountPath: /data }
        - { name: private, mountPath: /run/private, readOnly: true }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - name: given
      projected:
        defaultMode: 0440
        sources:
          - secret:
              name: {{ required "keyFile.existingSecret: say which secret has the key file" .Values.keyFile.existingSecret }}
              items: [{ key: {{ .Values.keyFile.key }}, path: quittance.key }]
          {{- range .Values.secretFiles }}
          - secret:
              name: {{ .secret }}
              items: [{ key: {{ .key }}, path: {{ .name }} }]
          {{- end }}
    - name: private
      emptyDir: { medium: Memory, sizeLimit: 1Mi }
    - name: tmp
      emptyDir: { medium: Memory, sizeLimit: 64Mi }
{{- end }}
{{- if not .isKept }}
    - name: data
      emptyDir: { sizeLimit: 64Mi }
{{- end }}
{{- end -}}
