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
update jobs set parked = case when crashes > 0 then 'alone' else '' end
where seq = ? and state = 'pending' and parked = 'lock'

-- name: park_for_lock
-- Not what is reserved: its own worker asks for it again and again.
update jobs set parked = 'lock' where seq = ? and state = 'pending' and reserved_for is null
