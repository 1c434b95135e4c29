/** By this in its command line a server is known as one of ours. */
export const OUR_MARK = 'cluster_name=florin';

/** Small in memory, durable, quiet. Statements and values never reach the log: they may hold what must not be kept. */
export const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '64MB',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '1GB',
  autovacuum: 'on',
  jit: 'off',
  io_method: 'sync',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  // Without these two a process less is kept waiting, and no shared memory is wanted from a container that has little.
  max_logical_replication_workers: '0',
  max_parallel_workers_per_gather: '0',
};
