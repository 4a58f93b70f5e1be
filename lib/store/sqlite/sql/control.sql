-- name: cancel_waiting
update jobs set
  state = 'cancelled', parked = '', reserved_for = null, run_at = null, reason = ?1, finished_at = ?2, updated_at = ?2
where seq = ?3 and state in ('scheduled', 'blocked', 'pending', 'failed')

-- name: cancel_running
update jobs set cancel_requested_at = coalesce(cancel_requested_at, ?1), updated_at = ?1
where seq = ?2 and state = 'processing'

-- name: cancel_requests
select seq from jobs indexed by jobs_processing
where state = 'processing' and worker_id = ? and cancel_requested_at is not null

-- name: retry
update jobs set
  state = ?4, parked = ?5, parents_left = ?6, reserved_for = null, attempts = 0, crashes = 0, snoozes = 0,
  run_at = null,
  finished_at = null, cancel_requested_at = null, worker_id = null, revived = 0, reason = ?1, ready_at = ?2,
  updated_at = ?2,
  -- Who wants it to run does not want it to be over.
  expires_at = case when expires_at <= ?2 + 0 then null else expires_at end
where seq = ?3 and state in ('scheduled', 'failed', 'completed', 'dead', 'cancelled')

-- name: long_dead
select seq, id, state, queue, lock, batch, key, options from jobs indexed by jobs_dead
where state = 'dead' and revived = 0 and finished_at < ? order by finished_at limit ? + 0

-- name: revive
update jobs set revived = 1 where seq = ?

-- name: edit
update jobs set
  state = ?, run_at = ?, queue = ?, priority = ?, type = ?, command = ?, argv = ?, max_retries = ?, timeout_ms = ?,
  tags = ?, options = ?, reason = ?, updated_at = ?, lock = ?, key = ?, expires_at = ?, gate = ?,
  parked = case when reserved_for is null then ? else 'run' end,
  ready_at = case when ?1 in ('pending') and state <> 'pending' then ?13 else ready_at end
where seq = ? and state in ('scheduled', 'blocked', 'pending', 'failed')

-- name: forget_tags
delete from job_tags where job_seq = ?

-- name: delete
-- Not while children wait to be told that it ended.
delete from jobs where seq = ? and state in ('completed', 'dead', 'cancelled') and not exists (
  select 1 from dependencies d indexed by dependencies_open
  where d.parent_seq = jobs.seq and d.state <> 'satisfied' and d.state = 'waiting' || ''
)

-- name: end_imported
update jobs set
  state = ?1, reason = ?2, created_at = ?3, updated_at = ?5, started_at = ?4, finished_at = ?5, duration_ms = ?6,
  exit_code = ?7, signal = ?8, attempts = ?9, run_count = ?10
where seq = ?11

-- name: mark_generated
update jobs set id_generated = 1 where seq = ?
