-- 51 objects

-- index audit_by_time on audit
CREATE INDEX audit_by_time on audit (at);

-- index dependencies_open on dependencies
CREATE INDEX dependencies_open on dependencies (parent_seq, state) where state <> 'satisfied';

-- index job_tags_by_job on job_tags
CREATE INDEX job_tags_by_job on job_tags (job_seq);

-- index jobs_by_batch on jobs
CREATE INDEX jobs_by_batch on jobs (batch, state) where batch is not null;

-- index jobs_by_schedule on jobs
CREATE INDEX jobs_by_schedule on jobs (schedule, state) where schedule is not null;

-- index jobs_by_state on jobs
CREATE INDEX jobs_by_state on jobs (state, queue, seq) where state <> 'processing';

-- index jobs_dead on jobs
CREATE INDEX jobs_dead on jobs (finished_at) where state = 'dead' and revived = 0;

-- index jobs_due on jobs
CREATE INDEX jobs_due on jobs (run_at) where state in ('scheduled', 'failed');

-- index jobs_due_by_priority on jobs
CREATE INDEX jobs_due_by_priority on jobs (priority, run_at) where state in ('scheduled', 'failed');

-- index jobs_expiring on jobs
CREATE INDEX jobs_expiring on jobs (expires_at)
  where expires_at is not null and state in ('scheduled', 'blocked', 'pending', 'failed');

-- index jobs_finished on jobs
CREATE INDEX jobs_finished on jobs (state, finished_at) where finished_at is not null;

-- index jobs_gate on jobs
CREATE INDEX jobs_gate on jobs (queue, gate, crashes, priority desc, seq) where state = 'pending' and parked = 'gate';

-- index jobs_id on jobs
CREATE UNIQUE INDEX jobs_id on jobs (id);

-- index jobs_key_active on jobs
CREATE INDEX jobs_key_active on jobs (key) where key is not null and finished_at is null;

-- index jobs_key_newest on jobs
CREATE INDEX jobs_key_newest on jobs (key, seq) where key is not null and state <> 'cancelled';

-- index jobs_lock_held on jobs
CREATE UNIQUE INDEX jobs_lock_held on jobs (lock) where state = 'processing' and lock is not null;

-- index jobs_lock_waiting on jobs
CREATE INDEX jobs_lock_waiting on jobs (lock, queue, parked, priority desc, seq)
  where state = 'pending' and lock is not null;

-- index jobs_processing on jobs
CREATE INDEX jobs_processing on jobs (worker_id) where state = 'processing';

-- index jobs_ready on jobs
CREATE INDEX jobs_ready on jobs (parked, queue, priority desc, seq) where state = 'pending';

-- index jobs_reserved on jobs
CREATE INDEX jobs_reserved on jobs (reserved_for) where reserved_for is not null;

-- index minutes_extremes on minutes
CREATE INDEX minutes_extremes on minutes (
  queue, priority, minute, shortest_ms, longest_ms, longest_seq, least_wait_ms, most_wait_ms
);

-- index outbox_due on outbox
CREATE INDEX outbox_due on outbox (next_at) where delivered_at is null and next_at is not null;

-- index queues_rated on queues
CREATE INDEX queues_rated on queues (name) where rate_count is not null;

-- index schedules_due on schedules
CREATE INDEX schedules_due on schedules (next_at) where paused = 0 and next_at is not null;

-- index sqlite_autoindex_run_output_1 on run_output

-- table audit on audit
CREATE TABLE audit (
  seq integer primary key,
  at integer not null,
  user text not null,
  host text not null,
  pid integer not null,
  action text not null,
  target text,
  detail text
) strict;

-- table batches on batches
CREATE TABLE batches (
  name text primary key,
  sealed integer not null default 0 check (sealed in (0, 1)),
  -- Members, and how many of them are final.
  total integer not null default 0,
  ended integer not null default 0,
  -- Job to make when the last member is final, as JSON, and its id once made.
  on_done text check (on_done is null or json_valid(on_done)),
  done_job_id text,
  created_at integer not null,
  done_at integer
) strict, without rowid;

-- table dependencies on dependencies
CREATE TABLE dependencies (
  child_seq integer not null references jobs (seq) on delete cascade,
  parent_id text not null,
  parent_seq integer,
  -- 'completed': --after; 'ended': --after-any
  needs text not null check (needs in ('completed', 'ended')),
  -- 'satisfied' is for ever; 'failed': the parent ended otherwise than needed, and the child was cancelled.
  state text not null check (state in ('waiting', 'satisfied', 'failed')),
  primary key (child_seq, parent_id)
) strict, without rowid;

-- table job_counts on job_counts
CREATE TABLE job_counts (
  queue text not null,
  state text not null,
  n integer not null,
  tally blob,
  primary key (queue, state)
) strict, without rowid;

-- table job_tags on job_tags
CREATE TABLE job_tags (
  tag text not null,
  job_seq integer not null references jobs (seq) on delete cascade,
  primary key (tag, job_seq)
) strict, without rowid;

-- table jobs on jobs
CREATE TABLE jobs (
  -- Order of arrival. Never reused, because names of output files hold it.
  seq integer primary key autoincrement,
  id text not null,
  -- 1: made by us, so that a prefix of it may stand for it.
  id_generated integer not null default 0 check (id_generated in (0, 1)),
  state text not null check (
    state in ('scheduled', 'blocked', 'pending', 'processing', 'completed', 'failed', 'dead', 'cancelled')
  ),
  -- Why a pending job cannot be claimed by just anyone: '' it can; 'alone' it
  -- crashed before and needs a worker for itself; 'lock' its lock is held or
  -- another waiter goes first; 'gate' its condition was false where a worker came
  -- to it, and whoever finds it true may take it; 'run' it is reserved for one worker.
  parked text not null default '' check (parked in ('', 'alone', 'lock', 'gate', 'run')),
  -- The worker that `queuectl run` started for this job alone: nobody else claims it while that one lives.
  reserved_for text,
  queue text not null,
  priority integer not null default 0,
  type text not null,
  command text,
  argv text check (argv is null or json_valid(argv)),
  max_retries integer not null check (max_retries >= 0),
  timeout_ms integer check (timeout_ms > 0),
  run_at integer,
  expires_at integer,
  -- What must be true on the worker's host, such as load<4.
  gate text,
  lock text,
  key text,
  batch text,
  template text,
  schedule text,
  scheduled_for integer,
  tags text check (tags is null or json_valid(tags)),
  options text not null check (json_valid(options)),
  -- Parents that are not satisfied yet.
  parents_left integer not null default 0 check (parents_left >= 0),
  attempts integer not null default 0 check (attempts >= 0),
  run_count integer not null default 0 check (run_count >= 0),
  crashes integer not null default 0 check (crashes >= 0),
  snoozes integer not null default 0 check (snoozes >= 0),
  created_at integer not null,
  updated_at integer not null,
  -- When it became pending, or for a time that it waited for, was due; null: when it was created.
  ready_at integer,
  started_at integer,
  finished_at integer,
  duration_ms integer,
  exit_code integer,
  signal text,
  reason text,
  worker_id text,
  -- Token of the last claim; it only grows.
  claim integer not null default 0,
  cancel_requested_at integer,
  -- 1: it was dead and dead_retry_after gave it another life; that is done once.
  revived integer not null default 0 check (revived in (0, 1)),
  -- What waits for a time has one; what is final has an end; what runs has a worker.
  check (state not in ('scheduled', 'failed') or run_at is not null),
  check ((state in ('completed', 'dead', 'cancelled')) = (finished_at is not null)),
  check (state <> 'processing' or (worker_id is not null and claim > 0 and started_at is not null))
) strict;

-- table leases on leases
CREATE TABLE leases (
  name text primary key,
  holder text not null,
  beat integer not null default 0,
  data text,
  updated_at integer not null
) strict, without rowid;

-- table maintenance on maintenance
CREATE TABLE maintenance (
  task text primary key,
  at integer not null,
  counts text not null check (json_valid(counts)),
  error text
) strict, without rowid;

-- table minutes on minutes
CREATE TABLE minutes (
  queue text not null,
  priority integer not null,
  -- since 1970
  minute integer not null,
  tally blob not null,
  shortest_ms integer,
  longest_ms integer,
  longest_seq integer,
  least_wait_ms integer,
  most_wait_ms integer,
  primary key (queue, priority, minute)
) strict, without rowid;

-- table outbox on outbox
CREATE TABLE outbox (
  seq integer primary key,
  event text not null,
  target text not null,
  body text not null check (json_valid(body)),
  job_seq integer,
  created_at integer not null,
  tries integer not null default 0,
  next_at integer,
  delivered_at integer,
  error text
) strict;

-- table pools on pools
CREATE TABLE pools (
  name text not null,
  host text not null,
  count integer not null check (count >= 0),
  concurrency integer check (concurrency > 0),
  queues text check (queues is null or json_valid(queues)),
  -- Raised by a restart: workers of an earlier one are replaced.
  generation integer not null default 1,
  state text not null default 'running' check (state in ('running', 'stopping')),
  release_at integer,
  -- The supervisor that was last seen.
  supervisor_pid integer,
  supervisor_start text,
  is_foreground integer not null default 0 check (is_foreground in (0, 1)),
  version text,
  trouble text,
  beat_at integer,
  created_at integer not null,
  updated_at integer not null,
  primary key (name, host)
) strict, without rowid;

-- table queue_starts on queue_starts
CREATE TABLE queue_starts (
  queue text not null references queues (name) on delete cascade,
  slot integer not null,
  started_at integer not null,
  primary key (queue, slot)
) strict, without rowid;

-- table queues on queues
CREATE TABLE queues (
  name text primary key,
  paused integer not null default 0 check (paused in (0, 1)),
  concurrency integer check (concurrency > 0),
  rate_count integer check (rate_count > 0),
  rate_ms integer check (rate_ms > 0),
  max_pending integer check (max_pending > 0),
  -- Claim number at which it was last served: equal heads of queues take turns.
  served integer not null default 0,
  created_at integer not null,
  check ((rate_count is null) = (rate_ms is null))
) strict, without rowid;

-- table run_output on run_output
CREATE TABLE run_output (
  job_seq integer not null,
  run integer not null,
  stdout blob,
  stderr blob,
  primary key (job_seq, run),
  foreign key (job_seq, run) references runs (job_seq, run) on delete cascade
) strict;

-- table runs on runs
CREATE TABLE runs (
  job_seq integer not null references jobs (seq) on delete cascade,
  run integer not null check (run > 0),
  attempt integer not null,
  claim integer not null,
  worker_id text,
  started_at integer not null,
  -- null while it runs
  outcome text check (
    outcome in ('succeeded', 'failed', 'timed_out', 'killed', 'cancelled', 'interrupted', 'lost', 'late', 'snoozed', 'not_started')
  ),
  finished_at integer,
  duration_ms integer,
  exit_code integer,
  signal text,
  reason text,
  stdout_bytes integer not null default 0,
  stderr_bytes integer not null default 0,
  dropped_bytes integer not null default 0,
  primary key (job_seq, run),
  check ((outcome is null) = (finished_at is null))
) strict, without rowid;

-- table schedules on schedules
CREATE TABLE schedules (
  name text primary key,
  cron text not null,
  time_zone text,
  job text not null check (json_valid(job)),
  options text not null default '{}' check (json_valid(options)),
  paused integer not null default 0 check (paused in (0, 1)),
  description text,
  next_at integer,
  last_at integer,
  created_at integer not null,
  updated_at integer not null
) strict, without rowid;

-- table settings on settings
CREATE TABLE settings (
  key text primary key,
  value text not null,
  updated_at integer not null
) strict, without rowid;

-- table sqlite_sequence on sqlite_sequence
CREATE TABLE sqlite_sequence(name,seq);

-- table templates on templates
CREATE TABLE templates (
  name text primary key,
  job text not null check (json_valid(job)),
  created_at integer not null,
  updated_at integer not null
) strict, without rowid;

-- table ticks on ticks
CREATE TABLE ticks (
  schedule text not null references schedules (name) on delete cascade,
  nominal_at integer not null,
  outcome text not null check (outcome in ('fired', 'skipped', 'missed')),
  job_id text,
  reason text,
  recorded_at integer not null,
  primary key (schedule, nominal_at)
) strict, without rowid;

-- table unsettled on unsettled
CREATE TABLE unsettled (
  seq integer primary key references jobs (seq) on delete cascade
) strict;

-- table worker_minutes on worker_minutes
CREATE TABLE worker_minutes (
  minute integer primary key,
  slot_ms integer not null,
  busy_retries integer not null
) strict;

-- table workers on workers
CREATE TABLE workers (
  id text primary key,
  pool text not null,
  host text not null,
  boot_id text not null,
  pid_namespace text not null,
  pid integer not null,
  -- Start time of the process as the kernel counts it: with boot id and pid its identity.
  process_start text not null,
  queues text,
  slots integer not null,
  version text not null,
  -- Of its pool when it was started; null: nobody keeps its pool at a number.
  generation integer,
  state text not null check (state in ('running', 'draining')),
  started_at integer not null,
  -- Raised by every heartbeat: observers compare it, never the clock.
  beat integer not null default 0,
  beat_at integer not null,
  done integer not null default 0,
  failed integer not null default 0,
  rss_bytes integer,
  trouble text
) strict, without rowid;

-- trigger jobs_count_delete on jobs
CREATE TRIGGER jobs_count_delete after delete on jobs begin
  update job_counts set n = n - 1 where queue = old.queue and state = old.state;
end;

-- trigger jobs_count_insert on jobs
CREATE TRIGGER jobs_count_insert after insert on jobs begin
  insert into job_counts (queue, state, n) values (new.queue, new.state, 1)
  on conflict (queue, state) do update set n = n + 1;
end;

-- trigger jobs_count_update on jobs
CREATE TRIGGER jobs_count_update after update of state, queue on jobs
when old.state <> new.state or old.queue <> new.queue begin
  update job_counts set n = n - 1 where queue = old.queue and state = old.state;
  insert into job_counts (queue, state, n) values (new.queue, new.state, 1)
  on conflict (queue, state) do update set n = n + 1;
end;
