-- name: what_waits
-- All that an idle worker has to know, in one statement: whether anything is pending, and when the next job is due or
-- over. job_counts is small.
select
  exists (select 1 from job_counts where state = 'pending' and n > 0) as is_pending,
  (select run_at from jobs indexed by jobs_due where state in ('scheduled', 'failed') order by run_at limit 1) as due_at,
  (
    select expires_at from jobs indexed by jobs_expiring
    where expires_at is not null and state in ('scheduled', 'blocked', 'pending', 'failed') order by expires_at limit 1
  ) as expires_at

-- name: next_due
-- One step in jobs_due: the earliest time at which anything waits. Named, because the planner
-- would rather walk every scheduled job along jobs_by_state: 8 ms with 50,000 of them.
select run_at as at from jobs indexed by jobs_due where state in ('scheduled', 'failed') order by run_at limit 1

-- name: due_priority
-- The highest priority below a bound among jobs that wait for a time; one step per priority, not per job.
select priority from jobs indexed by jobs_due_by_priority
where state in ('scheduled', 'failed') and priority < ? order by priority desc limit 1

-- name: due_of_priority
select seq, crashes, lock, queue from jobs indexed by jobs_due_by_priority
where state in ('scheduled', 'failed') and priority = ? and run_at <= ? order by run_at limit ? + 0

-- name: promote
update jobs set state = 'pending', parked = case when reserved_for is null then ? else 'run' end, ready_at = run_at, run_at = null, reason = null, updated_at = ?
where seq = ? and state in ('scheduled', 'failed')

-- name: open_queues
-- Queues with something pending that are not paused. Limits are looked at by the caller.
select q.name, q.concurrency, q.rate_count, q.rate_ms, q.served
from job_counts c join queues q on q.name = c.queue
where c.state = 'pending' and c.n > 0 and q.paused = 0

-- name: open_queue
select q.name, q.concurrency, q.rate_count, q.rate_ms, q.served
from queues q join job_counts c on c.queue = q.name and c.state = 'pending'
where q.name = ? and c.n > 0 and q.paused = 0

-- name: count_queues
select count(*) as n from queues

-- name: open_queue_heads
-- The same with the priority of the best job of each; null: none can be claimed by just anyone.
select
  q.name, q.served,
  (
    select j.priority from jobs j indexed by jobs_ready
    where j.state = 'pending' and j.parked = '' and j.queue = q.name order by j.priority desc limit 1
  ) as priority
from job_counts c join queues q on q.name = c.queue
where c.state = 'pending' and c.n > 0 and q.paused = 0

-- name: newest_seq
select max(seq) as seq from jobs

-- name: arrivals
select queue, max(priority) as priority from jobs not indexed
where seq > ? and state = 'pending' and parked = '' group by queue

-- name: heads
-- Two things make SQLite prepare a statement anew whenever it is bound, 6 to 9 us each time: a parameter compared
-- with a column that a partial index mentions (hence parked written out), and one that is the whole limit (hence + 0).
select seq, priority from jobs indexed by jobs_ready
where state = 'pending' and parked = '' and queue = ? order by priority desc, seq limit ? + 0

-- name: heads_alone
select seq, priority from jobs indexed by jobs_ready
where state = 'pending' and parked = 'alone' and queue = ? order by priority desc, seq limit 1

-- name: waiting_alone
-- Queues in which a job waits that must run alone; few jobs are ever parked so.
select distinct j.queue from jobs j indexed by jobs_ready join queues q on q.name = j.queue
where j.state = 'pending' and j.parked = 'alone' and q.paused = 0

-- name: one_job
-- A job that its own worker asks for: pending or due, and not reserved for another.
select seq, state, queue, lock, run_at, crashes from jobs
where seq = ? and state in ('pending', 'scheduled', 'failed') and (reserved_for is null or reserved_for = ?)

-- name: claim
-- The token only grows, also when the clock went back. Not all columns are returned, because each costs 0.2 us:
-- the others are empty in a job that has just begun, or known to the one who claims.
update jobs set
  state = 'processing', parked = '', attempts = attempts + 1, run_count = run_count + 1, claim = max(claim + 1, ?1),
  worker_id = ?2, started_at = ?1, updated_at = ?1, duration_ms = null, exit_code = null, signal = null, reason = null
-- What expires or has a gate is claimed only when it was looked at (?4).
where seq = ?3 and state = 'pending' and ((expires_at is null and gate is null) or ?4)
returning
  seq, id, state, type, command, argv, queue, priority, max_retries, timeout_ms, tags, options, attempts, run_count,
  crashes, snoozes, created_at, updated_at, started_at, worker_id, claim,
  coalesce(lock, key, batch, expires_at, gate) is not null as has_more

-- name: put_aside
-- It was pending; the claim that failed may have changed that in this same transaction.
update jobs set
  state = 'dead', parked = '', reason = ?1, finished_at = ?2, updated_at = ?2, worker_id = null, reserved_for = null,
  cancel_requested_at = null
where seq = ?3 and state in ('pending', 'processing')

-- name: claimed_job
-- The whole row, for the few jobs that use a column which the claim does not return.
select * from jobs where seq = ?

-- name: insert_run
insert into runs (job_seq, run, attempt, claim, worker_id, started_at) values (?, ?, ?, ?, ?, ?)

-- name: serve_queue
update queues set served = ? where name = ?

-- name: last_served
select max(served) as served from queues

-- name: claimed_row
-- What the rules need to know when a run ends; no row when the claim was taken away.
select
  attempts, max_retries, crashes, snoozes, options, cancel_requested_at, run_count, queue, priority,
  started_at - coalesce(ready_at, created_at) as wait_ms, id, seq, state, revived, lock, batch,
  exists (
    select 1 from dependencies d indexed by dependencies_open where d.parent_seq = jobs.seq and d.state <> 'satisfied'
  ) as has_children,
  (select concurrency from queues q where q.name = jobs.queue) as concurrency
from jobs where seq = ? and state = 'processing' and claim = ?

-- name: finish
update jobs set
  state = ?, parked = ?, attempts = ?, crashes = ?, snoozes = ?, run_at = ?, reason = ?, exit_code = ?, signal = ?,
  duration_ms = ?, finished_at = ?, updated_at = ?, cancel_requested_at = null,
  worker_id = case when ?1 in ('pending') then null else worker_id end,
  -- Its own worker sees to its retries; a job that comes back any other way is for everyone.
  reserved_for = case when ?1 in ('failed', 'scheduled') then reserved_for end,
  ready_at = case when ?1 in ('pending') then ?12 else ready_at end
where seq = ? and state = 'processing' and claim = ?

-- name: explain
update jobs set reason = ? where seq = ? and state = 'processing' and claim = ? and reason is not ?

-- name: finish_run
update runs set
  outcome = ?, finished_at = ?, duration_ms = ?, exit_code = ?, signal = ?, reason = ?, stdout_bytes = ?, stderr_bytes = ?,
  dropped_bytes = ?
where job_seq = ? and claim = ? and outcome is null

-- name: late_run
-- The claim was taken away: what happened is kept for the record, over the outcome that the rescuer wrote.
-- Any other outcome was reported by the owner before; the same report again must not spoil it.
update runs set
  outcome = 'late', finished_at = ?, duration_ms = ?, exit_code = ?, signal = ?, reason = ?, stdout_bytes = ?, stderr_bytes = ?,
  dropped_bytes = ?
where job_seq = ? and claim = ? and (outcome is null or outcome in ('lost', 'late'))
returning run

-- name: insert_output
insert or replace into run_output (job_seq, run, stdout, stderr) values (?, ?, ?, ?)

-- name: tally
select tally from job_counts where queue = ? and state = ?

-- name: new_tally
insert into job_counts (queue, state, n, tally) values (?, ?, 0, ?)

-- name: put_tally
update job_counts set tally = ? where queue = ? and state = ?

-- name: keep_minute
-- Once a minute, when the first run of a later one ends. Nothing about the history may fail a result.
insert into minutes (
  queue, priority, minute, tally, shortest_ms, longest_ms, longest_seq, least_wait_ms, most_wait_ms
)
values (?, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (queue, priority, minute) do nothing
