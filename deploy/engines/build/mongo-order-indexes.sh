#!/bin/bash
# Rebuilds the indexes that a store of an earlier version created: those could not be read in their order, so every page of a sorted list
# read and sorted all documents that its filter selects. Reads and writes continue; an interrupted run is continued by the next one.
# Unique and hashed indexes stay: no list is sorted by them.
set -euo pipefail

sql() { psql --host=/tmp --username=postgres --no-psqlrc --quiet --tuples-only --no-align "$@"; }

old_indexes="FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_am ON pg_am.oid = relam
  WHERE amname = 'documentdb_rum' AND indisvalid AND NOT indisexclusion
    AND pg_get_indexdef(indexrelid) LIKE '%(document documentdb_api_internal.bson_rum_composite_path_ops%'"

count=$(sql --command="SELECT count(*) $old_indexes")
[ "$count" -gt 0 ] || exit 0
echo "mongo-order-indexes: rebuilding $count indexes of an earlier version; reads and writes continue" >&2

# Each cell is a statement of its own, because an index cannot be built concurrently within a transaction.
sql --output=/dev/null <<SQL
SELECT format('DROP INDEX documentdb_data.%I', relname) FROM pg_class WHERE relname LIKE 'documents\_rum\_index\_%\_ordered' AND relkind = 'i' \gexec
SELECT
  replace(replace(replace(pg_get_indexdef(indexrelid),
    format('CREATE INDEX %I ON', relname), format('CREATE INDEX CONCURRENTLY %I ON', relname || '_ordered')),
    'USING documentdb_rum', 'USING documentdb_extended_rum'),
    'documentdb_api_internal.bson_rum_composite_path_ops', 'documentdb_extended_rum_catalog.bson_extended_rum_composite_path_ops'),
  format('DO \$\$ BEGIN
    IF EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass(%1\$L) AND indisvalid) THEN
      DROP INDEX documentdb_data.%2\$I;
      ALTER INDEX documentdb_data.%3\$I RENAME TO %2\$I;
    END IF;
  END \$\$', 'documentdb_data.' || relname || '_ordered', relname, relname || '_ordered')
$old_indexes ORDER BY pg_relation_size(indexrelid) \gexec
SQL
echo "mongo-order-indexes: $(sql --command="SELECT count(*) $old_indexes") of the old indexes are left" >&2
