-- name: lock_holder
-- An expression in place of a bare parameter: that one would make SQLite prepare the statement anew each time, because
-- a partial index mentions the column.
select seq, id from jobs indexed by jobs_lock_held
where state = 'processing' and lock is not null and lock = ? || ''

-- name: lock_queue
-- The next queue with jobs that wait for a lock; one step per queue, not per job.
select queue from jobs indexed by jobs_lock_waiting
where state = 'pending' and lock is not null and lock = ? || '' and queue > ? order by queue limit 1

-- name: lock_best
select seq, priority from jobs indexed by jobs_lock_waiting
where state = 'pending' and lock is not null and lock = ? || '' and queue = ? and parked = ? || ''
order by priority desc, seq limit 1

-- name: arm
-- Back into the ready index, or to those that need a worker for themselves.
update jobs set parked = case when crashes > 0 then 'alone' else '' end, parked_until = null
where seq = ? and state = 'pending' and parked in ('lock', 'gate')

-- name: park_for_lock
-- Not what is reserved: its own worker asks for it again and again.
update jobs set parked = 'lock', parked_until = null where seq = ? and state = 'pending' and reserved_for is null

-- name: park_for_gate
update jobs set
  parked = case when reserved_for is null then 'gate' else parked end,
  parked_until = case when reserved_for is null then ? end,
  reason = ?
where seq = ? and state = 'pending'

-- name: open_gates
-- Jobs whose gate may be looked at again.
select seq, lock, queue from jobs indexed by jobs_gate
where state = 'pending' and parked = 'gate' and parked_until <= ? order by parked_until limit ? + 0

-- name: open_gates_ahead
-- Those that would wait too long, because the clock went back.
select seq, lock, queue from jobs indexed by jobs_gate
where state = 'pending' and parked = 'gate' and parked_until > ? order by parked_until limit ? + 0
