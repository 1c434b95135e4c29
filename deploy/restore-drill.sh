#!/bin/bash
# Restores a backup to a moment, on a machine that is none of the cluster's, and proves it: a backup that was never restored is a hope.
#
#   restore-drill.sh money|cards FOLDER [TIME]
#
# Without TIME everything that the archive has. The server listens at a socket in FOLDER only and archives nothing. As the login that may read
# the repository (pgbackrest.conf), not as root. What it prints ends with how much was lost (RPO) and how long it took.
#   FLORIN        how to run Florin, with the settings of a worker or vault host: /opt/florin/node /opt/florin/bin/florin.mjs
#   PG_BIN        where PostgreSQL's programs are
#   BOOKS         a provider's books for florin reconcile (--file), or nothing
#   TEXTFILE      where node_exporter reads florin_restore_drill_*, or nothing
#   KEEP          set: leave the server running, for looking; its socket is printed
set -euo pipefail
zone=${1:?money or cards} folder=${2:?a new folder} time=${3:-}
FLORIN=${FLORIN:-/opt/florin/node /opt/florin/bin/florin.mjs} PG_BIN=${PG_BIN:-/usr/lib/postgresql/15/bin}
began=$(date +%s)
data=$folder/data socket=$folder/socket
[ ! -e "$data" ] || { echo "restore-drill: there is something at $data already" >&2; exit 1; }
mkdir -p -m 700 "$data" "$socket"

say() { printf '%6d s  %s\n' "$(($(date +%s) - began))" "$*"; }
sql() { psql -XAtq -v ON_ERROR_STOP=1 -h "$socket" -p 5999 -U postgres -d "${DATABASE:-florin}" -c "$1"; }
stop() { "$PG_BIN/pg_ctl" -D "$data" -m fast -w stop >/dev/null 2>&1 || true; }
[ -n "${KEEP:-}" ] || trap stop EXIT

target=()
[ -z "$time" ] || target=(--type=time "--target=$time" --target-action=promote)
pgbackrest --stanza="$zone" --pg1-path="$data" "${target[@]}" restore
say 'restored'

# Nothing of the cluster's own settings: this server archives nothing, waits for no standby and cannot be reached from outside.
cat >>"$data/postgresql.auto.conf" <<CONF
archive_mode = off
listen_addresses = ''
unix_socket_directories = '$socket'
port = 5999
ssl = off
synchronous_standby_names = ''
CONF
echo 'local all all trust' >"$data/pg_hba.conf"
"$PG_BIN/pg_ctl" -D "$data" -l "$folder/log" -w -t 3600 start >/dev/null || { tail -n 20 "$folder/log" >&2; exit 1; }
until [ "$(sql 'SELECT pg_is_in_recovery()')" = f ]; do sleep 0.2; done
say "started, on timeline $(sql 'SELECT timeline_id FROM pg_control_checkpoint()')"

url="postgres://${LOGIN:-postgres}@/${DATABASE:-florin}?host=$socket&port=5999"
failed=0
if [ "$zone" = money ]; then
  newest=$(sql 'SELECT coalesce(extract(epoch FROM max(created_at))::bigint, 0) FROM payment.orders')
  # shellcheck disable=SC2086
  FLORIN_DATABASE_URL=$url $FLORIN ledger verify || failed=1
  say "the ledger $([ $failed = 0 ] && echo agrees || echo DOES NOT AGREE)"
  if [ -n "${BOOKS:-}" ]; then
    # what came after the moment is missing here, and is named: that is no failure of the drill
    # shellcheck disable=SC2086
    FLORIN_DATABASE_URL=$url $FLORIN reconcile --file "$BOOKS" || say 'the books differ by what is above'
  fi
else
  newest=$(sql 'SELECT coalesce(extract(epoch FROM max(created_at))::bigint, 0) FROM vault.cards')
  cvcs=$(sql 'SELECT (SELECT count(*) FROM vault.cvcs) + (SELECT count(*) FROM vault.cvc_keys)')
  [ "$cvcs" = 0 ] || failed=1
  say "$cvcs card verification codes (must be 0)"
fi

ended=$(date +%s)
wanted=$([ -z "$time" ] && echo "$began" || date -d "$time" +%s)
echo "RPO: the newest $([ "$zone" = money ] && echo order || echo card) is $((wanted - newest)) s older than the moment asked for"
echo "RTO: $((ended - began)) s"
[ -n "${KEEP:-}" ] && echo "The server goes on: $url"
if [ $failed = 0 ] && [ -n "${TEXTFILE:-}" ]; then
  printf 'florin_restore_drill_ended_timestamp_seconds{stanza="%s"} %s\nflorin_restore_drill_seconds{stanza="%s"} %s\n' \
    "$zone" "$ended" "$zone" "$((ended - began))" >"$TEXTFILE.new"
  mv "$TEXTFILE.new" "$TEXTFILE"
fi
exit $failed
