#!/usr/bin/env bash
# Installs the chart of an earlier version in its evaluation mode on a cluster, runs the demo through its gateway, upgrades it under load,
# changes the installation under load (trial/under-load.mjs), tries forbidden connections, takes an engine away, and installs a second
# installation beside it.
#
# Environment:
#   KUBECONFIG            the cluster (needed)
#   PARLANCE_IMAGES       prefix of the images of the processes, "parlance" by default; they are built where it is unset. Images of the earlier
#                         version have the prefix PREFIX-before
#   PARLANCE_LOAD_IMAGES  command that brings images, named as arguments, onto the nodes where they cannot be pulled from
#   PARLANCE_TRIAL_FROM   commit of the earlier version; empty: the version of the working directory is installed, not upgraded to
#   PARLANCE_TRIAL_PHASES parts of the titles of the phases under load to run, separated by commas; all by default
#   PARLANCE_TRIAL_PROJECTS projects under load, each with eight clients of its own; 1 by default, for two cores
#   PARLANCE_TRIAL_HOST   address under which pods reach this machine, for the git repositories; found out where unset
#   PARLANCE_TRIAL_PUBLIC address under which pods reach this machine, too, outside private ranges (such as 203.0.113.1, added to its loopback
#                         interface where packets of pods to it come here); without it, no calls to public addresses are tried
#   PARLANCE_TRIAL_URL    address of the gateway; a node port by default
#   NAMESPACE             default parlance-trial
# With the argument "down" everything of the trial is removed.
set -euo pipefail
cd "$(dirname "$0")/.."
: "${KUBECONFIG:?must name the cluster}"
namespace=${NAMESPACE:-parlance-trial}
kube() { kubectl --namespace "$namespace" "$@"; }
helm=$(command -v helm || echo "${PARLANCE_CACHE_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/parlance}/tools/helm")

if [ "${1:-}" = down ]; then
  "$helm" uninstall parlance other --namespace "$namespace" --wait || true
  kubectl delete namespace "$namespace" --wait
  exit 0
fi

# check-chart also installs helm where it is missing.
node deploy/check-chart.mjs
prefix=${PARLANCE_IMAGES:-parlance}
if [ -z "${PARLANCE_IMAGES:-}" ]; then node deploy/image.mjs; fi
version=$(node -p 'require("./package.json").version')
processes=$(node --input-type=module -e 'import { processes } from "./deploy/processes.mjs"; console.log(processes.join(" "))')
from=${PARLANCE_TRIAL_FROM-8d25e53a}
before=$(mktemp -d)
repositories=$(mktemp -d)
daemon=
trap 'kill $daemon 2>/dev/null || true; rm -rf "$repositories" "$before"' EXIT
old_chart=charts/parlance
old_prefix=$prefix
old_version=$version
if [ -n "$from" ]; then
  git archive "$from" | tar --extract --directory "$before"
  old_chart=$before/charts/parlance
  old_prefix=$prefix-before
  old_version=$(node -p "require('$before/package.json').version")
  if [ -z "${PARLANCE_IMAGES:-}" ]; then node "$before/deploy/image.mjs" "$old_prefix"; fi
fi
if [ -n "${PARLANCE_LOAD_IMAGES:-}" ]; then
  node deploy/engines/cli.mjs images
  images=(mongo:8 nats:2.15-alpine valkey/valkey:9 minio/minio:RELEASE.2025-09-07T16-13-09Z)
  for name in $processes; do images+=("$prefix/$name:$version"); done
  if [ -n "$from" ]; then for name in $processes; do images+=("$old_prefix/$name:$old_version"); done; fi
  $PARLANCE_LOAD_IMAGES "${images[@]}"
fi

# The repositories are on this machine: pods reach them over git://. Listeners of forbidden-calls.mjs stand for web and mail servers.
read -r git_port web_port mail_port < <(node -e "
  const servers = [1, 2, 3].map(() => require('node:net').createServer().listen(0));
  setImmediate(() => { console.log(...servers.map((server) => server.address().port)); servers.forEach((server) => server.close()); });")
node_address=$(kubectl get nodes -o jsonpath='{.items[0].status.addresses[?(@.type=="InternalIP")].address}')
host=${PARLANCE_TRIAL_HOST:-$(ip -4 route get "$node_address" | sed -n 's/.* src \([0-9.]*\).*/\1/p')}
"$(git --exec-path)/git-daemon" --reuseaddr --export-all --enable=receive-pack --port="$git_port" --base-path="$repositories" "$repositories" &
daemon=$!

# With no values but those of the machine: the images, and where the repositories are.
values=(--values deploy/trial/values.yaml)
for port in "remotePorts={$git_port}" "webPorts={$web_port}" "mailPorts={$mail_port}"; do values+=(--set "networkPolicy.$port"); done
export PARLANCE_TRIAL_HOST=$host
export PARLANCE_TRIAL_PORTS="{\"remotePorts\":$git_port,\"webPorts\":$web_port,\"mailPorts\":$mail_port}"
old=(--set image.repository="$old_prefix" --set image.tag="$old_version")
new=(--set image.repository="$prefix" --set image.tag="$version")
"$helm" upgrade --install parlance "$old_chart" --namespace "$namespace" --create-namespace "${values[@]}" "${old[@]}" --timeout 10m

export PARLANCE_TOKEN PARLANCE_URL
PARLANCE_TOKEN=$(kube get secret parlance-administrator -o go-template='{{.data.token | base64decode}}')
PARLANCE_URL=${PARLANCE_TRIAL_URL:-http://$node_address:$(kube get service parlance-gateway -o jsonpath='{.spec.ports[0].nodePort}')}
kube rollout status deployment/parlance-gateway --timeout=10m
export TMPDIR=$repositories PARLANCE_GIT_BASE="git://$host:$git_port"
node e2e/demo.mjs

two=()
for name in $processes; do two+=(--set "services.$name.replicas=2"); done
"$helm" upgrade parlance "$old_chart" --namespace "$namespace" "${values[@]}" "${old[@]}" "${two[@]}" --wait --timeout 10m
# What was seen under load is reported at the end: the parts after it do not depend on it.
failed=0
# Every process gets another image and environment, so every pod is replaced.
upgrade=("$helm" upgrade parlance charts/parlance --namespace "$namespace" "${values[@]}" "${new[@]}" "${two[@]}" --set config.LOG_LEVEL=warn --wait --timeout 10m)
PARLANCE_TRIAL_UPGRADE=$(printf '%q ' "${upgrade[@]}") node deploy/trial/under-load.mjs "$namespace" || failed=1

"$helm" test parlance --namespace "$namespace" --logs
node deploy/trial/forbidden-calls.mjs "$namespace"
node deploy/trial/missing-engine.mjs "$namespace"

# One pod of every process leaves room for a second installation. That one reaches no private addresses outside the cluster.
"$helm" upgrade parlance charts/parlance --namespace "$namespace" "${values[@]}" "${new[@]}" --wait --timeout 10m
"$helm" upgrade --install other charts/parlance --namespace "$namespace" "${values[@]}" --values deploy/trial/small.yaml --set-string config.PARLANCE_ALLOW_PRIVATE_REMOTES=false "${new[@]}" --wait --timeout 10m
PARLANCE_TRIAL_NODE=$node_address node deploy/trial/two-installations.mjs "$namespace" parlance other
node deploy/trial/forbidden-calls.mjs "$namespace" parlance
node deploy/trial/forbidden-calls.mjs "$namespace" other
exit "$failed"
