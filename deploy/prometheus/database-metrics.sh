#!/bin/sh
# What Prometheus should know of a PostgreSQL and its backups, for the textfile collector of node_exporter. Each minute, as postgres:
#   database-metrics.sh money > /var/lib/prometheus/node-exporter/florin.prom.new && mv …
# STANZA is the name in pgbackrest.conf. PGHOST and PGPORT say which server. Names a machine, no merchant and no card.
set -eu
stanza=$1

psql -XAtq -v ON_ERROR_STOP=1 -v stanza="$stanza" -d postgres <<'SQL'
SELECT format('florin_postgres_in_recovery{stanza="%s"} %s', :'stanza', pg_is_in_recovery()::int);
SELECT format('florin_postgres_standbys{stanza="%s"} %s', :'stanza', count(*)) FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum');
SELECT format('florin_postgres_wal_kept_bytes{stanza="%s",slot="%s"} %s', :'stanza', slot_name,
  coalesce(pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_receive_lsn() ELSE pg_current_wal_lsn() END, restart_lsn), 0))
  FROM pg_replication_slots;
SELECT format('florin_postgres_archive_failing{stanza="%s"} %s', :'stanza', ((last_failed_time > coalesce(last_archived_time, '-infinity')) IS TRUE)::int)
  FROM (SELECT last_failed_time, last_archived_time FROM pg_stat_archiver) archiver;
SELECT format('florin_postgres_oldest_xid_age{stanza="%s",datname="%s"} %s', :'stanza', datname, age(datfrozenxid)) FROM pg_database;
SQL

# the end of the newest backup that is whole; nothing where there is none, which is an alarm of its own
if command -v pgbackrest >/dev/null; then
  pgbackrest --stanza="$stanza" --output=json info |
    sed 's/"stop":/\n&/g' | sed -n 's/^"stop":\([0-9]\{10\}\).*/\1/p' | sort -n | tail -n 1 |
    sed "s/.*/florin_backup_ended_timestamp_seconds{stanza=\"$stanza\"} &/"
fi
