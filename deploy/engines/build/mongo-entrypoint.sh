#!/bin/bash
# Runs PostgreSQL and FerretDB as one service: both start, both stop, and when one dies the container ends.
#
# Environment:
#   PARLANCE_UNSAFE_FAST=1   no fsync. For tests, whose data is disposable.
#   MONGO_INITDB_ROOT_USERNAME, MONGO_INITDB_ROOT_PASSWORD
#                            as in the official image: clients authenticate as this user. Unlike there, the user is created and gets the
#                            password at every start, so data that was written without authentication is kept. Not set: no authentication.
#   MONGO_INITDB_ROOT_PASSWORD_FILE
#                            a file with the password
set -euo pipefail

data=/data/db
cluster=$data/postgres
template=/usr/local/share/parlance/cluster.tar
settings=/usr/local/share/parlance/postgresql.conf
PATH=/usr/lib/postgresql/18/bin:$PATH

say() { echo "mongo-entrypoint: $*" >&2; }

# Libraries that PostgreSQL loads. The data names them, not the image, so that an image of an earlier version also reads the indexes that
# this one creates.
set_libraries() { # $1: the data directory
  local line="shared_preload_libraries = 'pg_cron,pg_documentdb_core,pg_documentdb,pg_documentdb_extended_rum'"
  grep --quiet --line-regexp --fixed-strings "$line" "$1/postgresql.auto.conf" && return
  sed --in-place '/^shared_preload_libraries/d' "$1/postgresql.auto.conf"
  echo "$line" >> "$1/postgresql.auto.conf"
}

if [ "${1:-}" = make-template ]; then
  work=$(mktemp -d)
  chown postgres: "$work"
  setpriv --reuid=postgres --regid=postgres --init-groups bash -euo pipefail <<INIT
    $(declare -f set_libraries)
    initdb --pgdata=$work/postgres --auth=trust --username=postgres --encoding=UTF8 --locale=C.UTF-8 --data-checksums >/dev/null
    echo "include '$settings'" >> $work/postgres/postgresql.conf
    set_libraries $work/postgres
    pg_ctl --pgdata=$work/postgres --wait --log=$work/log start >/dev/null || { cat $work/log; exit 1; }
    psql --host=/tmp --username=postgres --quiet --set=ON_ERROR_STOP=1 --command='CREATE EXTENSION documentdb CASCADE' \
      --command='CREATE EXTENSION documentdb_extended_rum'
    pg_ctl --pgdata=$work/postgres --wait --mode=fast stop >/dev/null
INIT
  tar --create --file="$template" --directory="$work" postgres
  chmod 644 "$template"
  rm -rf "$work"
  exit 0
fi

# PostgreSQL refuses to run as root. As any other user (a Kubernetes pod's, say) the container stays that user.
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$data"
  chown postgres: "$data"
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi

if [ -e "$data/WiredTiger" ]; then
  say "$data was written by MongoDB itself; this image is FerretDB and cannot read it"
  exit 1
fi

# The lock makes a stale postmaster.pid harmless: its holder is the only server of this data directory. Without it, a reused
# process id could keep PostgreSQL from starting after a kill.
exec 9>"$data/lock"
if ! flock --nonblock 9; then
  say "another container uses this data"
  exit 1
fi
if [ ! -d "$cluster" ]; then
  rm -rf "$data/unpacking"
  mkdir "$data/unpacking"
  tar --extract --file="$template" --directory="$data/unpacking" --no-same-owner
  chmod 700 "$data/unpacking/postgres"
  sync --file-system "$data"
  mv "$data/unpacking/postgres" "$cluster"
  rmdir "$data/unpacking"
fi
set_libraries "$cluster"
rm -f "$cluster/postmaster.pid" /tmp/.s.PGSQL.5432*

# Other processes do not inherit the credentials.
root_name=${MONGO_INITDB_ROOT_USERNAME:-}
root_password=${MONGO_INITDB_ROOT_PASSWORD:-}
if [ -n "${MONGO_INITDB_ROOT_PASSWORD_FILE:-}" ]; then root_password=$(cat "$MONGO_INITDB_ROOT_PASSWORD_FILE"); fi
unset MONGO_INITDB_ROOT_USERNAME MONGO_INITDB_ROOT_PASSWORD
if [ "${root_name:+set}" != "${root_password:+set}" ]; then
  say "MONGO_INITDB_ROOT_USERNAME and MONGO_INITDB_ROOT_PASSWORD must be set both or neither"
  exit 1
fi

options=()
if [ "${PARLANCE_UNSAFE_FAST:-}" = 1 ]; then
  options=(-c fsync=off -c synchronous_commit=off -c full_page_writes=off)
fi

postgres -D "$cluster" "${options[@]}" 9>&- &
postgres=$!
ferretdb=
stopping=
stop() {
  stopping=yes
  if [ -n "$ferretdb" ]; then kill -TERM "$ferretdb" 2>/dev/null || true; else kill -INT "$postgres" 2>/dev/null || true; fi
}
trap stop TERM INT

until pg_isready --quiet --host=/tmp; do
  if [ -n "$stopping" ] || ! kill -0 "$postgres" 2>/dev/null; then
    wait "$postgres" || true
    [ -n "$stopping" ] && exit 0
    say "PostgreSQL did not start"
    exit 1
  fi
  sleep 0.05
done

# Stores of earlier versions lack the extension.
psql --host=/tmp --username=postgres --no-psqlrc --quiet \
  --command="SET client_min_messages = warning" --command="CREATE EXTENSION IF NOT EXISTS documentdb_extended_rum"

# Stores of earlier versions have jobs for what documentdb.indexBuildsScheduledOnBgWorker does.
psql --host=/tmp --username=postgres --no-psqlrc --quiet --output=/dev/null \
  --command="SELECT cron.unschedule(jobid) FROM cron.job WHERE command LIKE '%build_index_concurrently%'" ||
  say "the jobs for index builds could not be removed"

# FerretDB authenticates its clients (SCRAM-SHA-256) as users of PostgreSQL. psql reads the credentials from its environment:
# a command line is visible to every user of the machine.
authentication=--no-auth
if [ -n "$root_name" ]; then
  authentication=--auth
  if ! ROOT_NAME=$root_name ROOT_PASSWORD=$root_password \
    psql --host=/tmp --username=postgres --no-psqlrc --quiet --set=ON_ERROR_STOP=1 >/dev/null <<'SQL'; then
\set name `printenv ROOT_NAME`
\set password `printenv ROOT_PASSWORD`
SELECT format('CREATE ROLE %I LOGIN', :'name') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'name') \gexec
GRANT documentdb_admin_role TO :"name";
ALTER ROLE :"name" LOGIN PASSWORD :'password';
SQL
    say "the user $root_name could not be created"
    kill -INT "$postgres" 2>/dev/null || true
    wait "$postgres" || true
    exit 1
  fi
fi

ferretdb --postgresql-url='postgres://postgres@/postgres?host=/tmp' --listen-addr=0.0.0.0:27017 --debug-addr=- \
  "$authentication" --telemetry=disable --log-level=warn --state-dir="$data" 9>&- &
ferretdb=$!

mongo-order-indexes 9>&- &

# Returns when either ends, or at a signal.
wait -n "$postgres" "$ferretdb" || true
[ -n "$stopping" ] || say "a process ended unexpectedly; the container ends, to be started again"
kill -TERM "$ferretdb" 2>/dev/null || true
wait "$ferretdb" 2>/dev/null || true
kill -INT "$postgres" 2>/dev/null || true
wait "$postgres" 2>/dev/null || true
[ -n "$stopping" ] && exit 0
exit 1
